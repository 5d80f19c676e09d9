"""The parts of a trajectory that the viewer fetches while one reads, served beside the pages of the app.

A page that may show a trajectory gives its viewer a token for that trajectory; without it nothing is served, so whoever
may not open the page cannot read the steps either.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from streamlit import config

from workbench.errors import BadInputError, NotFoundError, WorkbenchError
from workbench.store import Store
from workbench.ui.components.viewer.bodies import FOLD_IN_COLUMN, FOLD_IN_STEP, Mark, mark_of, passage_data, step_data
from workbench.ui.components.viewer.finding import find
from workbench.ui.components.viewer.model import columns_data, outline_row
from workbench.ui.components.viewer.research import research_data
from workbench.ui.session import store, store_url

# The most steps that one request is answered with: a window of the list, never all of it.
MOST_STEPS: Final = 500
PLACES: Final = ("text", "reasoning", "result")


def token_for(trajectory_id: str) -> str:
    """What lets its holder read this trajectory for as long as the server runs."""
    secret = str(config.get_option("server.cookieSecret"))
    return hmac.new(secret.encode(), f"viewer {trajectory_id}".encode(), hashlib.sha256).hexdigest()[:32]


def serve(request: Request) -> Response:
    """One part of one trajectory as JSON; what cannot be read is said in a sentence under `error`."""
    given = request.path_params
    if not hmac.compare_digest(token_for(given["id"]), given["token"]):
        return _answer({"error": "The server was started anew; load this page again."}, 403)
    part = PARTS.get(given["part"])
    if part is None:
        return _answer({"error": f"A trajectory has no part {given['part']!r}."}, 404)
    try:
        return _answer(part(store(), given["id"], request.query_params), 200)
    except NotFoundError as error:
        return _answer({"error": str(error)}, 404)
    except BadInputError as error:
        return _answer({"error": str(error)}, 400)
    except WorkbenchError as error:
        return _answer({"error": str(error)}, 503)


ROUTES: Final[list[BaseRoute]] = [Route("/viewer/{token}/{id}/{part}", serve, methods=["GET"])]


def _answer(value: Any, status: int) -> Response:
    try:
        body = orjson.dumps(value)
    except TypeError:  # a whole number beyond 64 bits among the arguments of a call
        body = json.dumps(value).encode()
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


Given = Mapping[str, str]


def _number(given: Given, name: str) -> int:
    text = given.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInputError(f"{name} is {text!r}; expected a whole number >= 0")
    return int(text)


def _window(given: Given) -> tuple[int, int]:
    start, stop = _number(given, "from"), _number(given, "to")
    return start, min(stop, start + MOST_STEPS)


def _columns(store: Store, trajectory_id: str, _given: Given) -> Any:
    return columns_data(store.trajectories.step_columns(trajectory_id))


def _rows(store: Store, trajectory_id: str, given: Given) -> Any:
    return [outline_row(step) for step in store.trajectories.outline(trajectory_id, *_window(given))]


def _steps(store: Store, trajectory_id: str, given: Given) -> Any:
    start, stop = _window(given)
    steps = store.trajectories.steps(trajectory_id, start, stop)
    own = given.get("only") == "own"
    return [
        step_data(position, step, fold=FOLD_IN_COLUMN)
        for position, step in enumerate(steps, start)
        if not own or step.role == "assistant" or step.tool_calls
    ]


def _step(store: Store, trajectory_id: str, given: Given) -> Any:
    """One step, uncut with `whole`; the words to flash are named by a citation, or by their place."""
    position = _number(given, "n")
    steps = store.trajectories.steps(trajectory_id, position, position + 1)
    if not steps:
        raise NotFoundError(f"trajectory {trajectory_id} has no step {position}")
    mark = None
    if "cite" in given:
        cited = _citation(store, trajectory_id, given)
        mark = mark_of(cited) if cited.passage and cited.passage.step == position else None
    elif given.get("place") in PLACES:
        place = next(place for place in ("text", "reasoning", "result") if place == given["place"])
        mark = Mark(place, _number(given, "nth"), _number(given, "start"), _number(given, "end"))
    return step_data(position, steps[0], fold=None if given.get("whole") else FOLD_IN_STEP, mark=mark)


def _citation(store: Store, trajectory_id: str, given: Given) -> Any:
    ordinal = _number(given, "cite")
    found = [citation for citation in store.trajectories.citations(trajectory_id) if citation.ordinal == ordinal]
    if not found:
        raise NotFoundError(f"trajectory {trajectory_id} has no citation {ordinal}")
    return found[0]


def _passage(store: Store, trajectory_id: str, given: Given) -> Any:
    cited = _citation(store, trajectory_id, given)
    if cited.passage is None:
        return None
    steps = store.trajectories.steps(trajectory_id, cited.passage.step, cited.passage.step + 1)
    return passage_data(cited, steps[0]) if steps else None


def _find(store: Store, trajectory_id: str, given: Given) -> Any:
    after = _number(given, "after") if "after" in given else -1
    found = find(store, trajectory_id, given.get("words", ""), after=after)
    return None if found is None else {"step": found[0]} | found[1]._asdict()


@lru_cache(maxsize=16)
def _researched(_url: str, trajectory_id: str) -> Any:
    # It reads the whole trajectory, which does not change once it is imported.
    repository = store().trajectories
    return research_data(repository.get(trajectory_id), repository.citations(trajectory_id))


def _research(_store: Store, trajectory_id: str, _given: Given) -> Any:
    return _researched(store_url(), trajectory_id)


PARTS: Final[Mapping[str, Callable[[Store, str, Given], Any]]] = {
    "columns": _columns,
    "rows": _rows,
    "steps": _steps,
    "step": _step,
    "passage": _passage,
    "find": _find,
    "research": _research,
}
