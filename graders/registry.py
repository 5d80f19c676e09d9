"""From the word after --grader to a grader."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from graders.callable import load_callable
from graders.citation_check.grader import SupportGrader
from graders.citation_check.loading import CITATION_CHECKS, Wire, about_check, load_citation_check
from graders.deterministic import load_deterministic
from graders.endpoint import check_base_url
from graders.ensemble_file import SUFFIXES, is_ensemble, load_ensemble
from graders.gateway import Gateway, GatewayOptions
from graders.inspect_grader import PREFIX as INSPECT
from graders.inspect_grader import load_inspect
from graders.learned import LEARNED, is_learned, load_learned
from graders.local import FREE, find_local_model, shared_server
from graders.quality import measure_quality
from graders.repeated import RepeatedGrader
from graders.retry import RetryPolicy
from graders.rubric_judge import JudgeOptions, RubricJudge
from rubrics.judging.rubric import Rubric
from rubrics.library import library_names, load_library
from rubrics.schema import load_rubric
from workbench.errors import BadInputError
from workbench.reward.core.quality import DETERMINISTIC
from workbench.schema.grade import GraderKind
from workbench.schema.protocols import Grader
from workbench.store import Store

GraderFactory: TypeAlias = Callable[[Store], Grader]

LOCAL = "local"
# A small model on few cores reads some hundred tokens a second: it is shown what fits and told what was left out.
LOCAL_PROMPT_TOKENS = 1280
LOCAL_REPLY_TOKENS = 256
# Measured (docs/evidence/local-judge.json): asked for grounds first, a model this small follows its own words to `yes`.
LOCAL_TEXT_CHARS = 0
LOCAL_TIMEOUT_S = 600.0
LOCAL_BATCH = 1
REPLY_TOKENS = 8192
# Retrieved text that judges of research read: with the report a few cents a grade; deep runs retrieve 50,000 and more.
EVIDENCE_TOKENS = 16_000
LOCAL_EVIDENCE_TOKENS = 300
# Room for a prompt where the model's context is not known: most judges read 128k tokens.
PROMPT_TOKENS = 96_000


def load_grader(
    spec: str,
    *,
    store: Store,
    model: str | None = None,
    base_url: str | None = None,
    repeats: int = 1,
    extra: Mapping[str, GraderFactory] | None = None,
    options: GatewayOptions | None = None,
) -> Grader:
    """The grader that `spec` names: a name of `extra`, `citations`, `checklist`, `citation-support`, `learned`, a
    rubric of the library, a rubric file (.yaml .yml .json), `path/file.py:Object`, or `inspect:` before a scorer of
    Inspect's.

    `model` and `base_url` say who reads a rubric (without a model it is the local one) and who checks citations
    (without one it is a rule). `repeats` > 1 gives the mean of that many runs. Raises BadInputError, NotFoundError or
    MissingExtraError with a sentence.
    """
    grader = _load(spec, store, model, base_url, extra or {}, options)
    return grader if repeats <= 1 else RepeatedGrader(grader, repeats)


def _load(
    spec: str,
    store: Store,
    model: str | None,
    base_url: str | None,
    extra: Mapping[str, GraderFactory],
    options: GatewayOptions | None,
) -> Grader:
    if spec in extra:
        return extra[spec](store)
    if spec in CITATION_CHECKS:
        asked = model is not None or base_url is not None
        wire = partial(wire_to, store, model=model, base_url=base_url, options=options)
        return load_citation_check(spec, wire if asked else None)
    if spec in DETERMINISTIC:
        return load_deterministic(spec, store)
    if is_learned(spec) and ".py:" not in spec and not Path(spec).suffix:
        return load_learned(spec, store)
    if spec in library_names():
        return judge_by(load_library(spec), store, model=model, base_url=base_url, options=options)
    if Path(spec).suffix in SUFFIXES and is_ensemble(Path(spec)):
        # What a member does not say for itself is as the command line says.
        return load_ensemble(
            Path(spec),
            lambda word, named, url: _load(
                word, store, named or model, url if named else (url or base_url), extra, options
            ),
        )
    if Path(spec).suffix in SUFFIXES:
        return judge_by(load_rubric(Path(spec)), store, model=model, base_url=base_url, options=options)
    if spec.startswith(INSPECT):
        return load_inspect(spec)
    if ".py:" in spec:
        found = load_callable(spec)
        if not isinstance(found, Grader):
            raise BadInputError(f"grader {spec!r} compares pairs; this place needs one that grades a single report")
        return found
    known = ", ".join([*extra, *dict.fromkeys((*DETERMINISTIC, *CITATION_CHECKS)), LEARNED, *library_names()])
    raise BadInputError(f"unknown grader {spec!r}; known are {known}, a rubric file (.yaml), or path/file.py:Object")


def judge_by(
    rubric: Rubric,
    store: Store,
    *,
    model: str | None = None,
    base_url: str | None = None,
    options: GatewayOptions | None = None,
) -> RubricJudge:
    """A judge that reads `rubric` by `model`: the local one (None or `local`), one that litellm knows, or one served
    at `base_url`."""
    asked, gateway, kind = wire_to(store, model=model, base_url=base_url, options=options)
    return RubricJudge(rubric, asked, gateway, kind=kind)


def wire_to(
    store: Store, *, model: str | None = None, base_url: str | None = None, options: GatewayOptions | None = None
) -> Wire:
    """How that model is asked, over what, and of what kind it is."""
    options = options or GatewayOptions()
    if base_url is not None:
        if not model or model == LOCAL:
            raise BadInputError("--base-url needs --model: the name under which that server knows its model")
        base_url = check_base_url(base_url)
    if base_url is None and model in (None, LOCAL):
        return _local_wire(store, options)
    asked = JudgeOptions(
        str(model),
        base_url,
        max_tokens=REPLY_TOKENS,
        budget_tokens=PROMPT_TOKENS,
        evidence_tokens=EVIDENCE_TOKENS,
    )
    return asked, Gateway(store.replies, options=options), "llm"


def _local_wire(store: Store, options: GatewayOptions) -> Wire:
    weights = find_local_model()
    # One request at a time: the server has one slot, and keeps what it read of a report for the next criterion.
    local = GatewayOptions(
        timeout_s=max(options.timeout_s, LOCAL_TIMEOUT_S),
        concurrency=1,
        spend_limit_usd=options.spend_limit_usd,
        price=FREE,
        retry=RetryPolicy(attempts=2),
    )
    asked = JudgeOptions(
        weights.name,
        max_tokens=LOCAL_REPLY_TOKENS,
        budget_tokens=LOCAL_PROMPT_TOKENS,
        evidence_tokens=LOCAL_EVIDENCE_TOKENS,
        batch_size=LOCAL_BATCH,
        max_reply_chars=LOCAL_TEXT_CHARS,
    )
    return asked, Gateway(store.replies, options=local, resolver=shared_server(weights).resolve), "local_model"


_ABOUT: Mapping[GraderKind, str] = {
    "llm": "a language model reads a rubric",
    "local_model": (
        "the small local model reads a rubric: good for trying the road, near chance as a judge "
        "(docs/evidence/local-judge.json). Conclude nothing from it, and give --model for a real one"
    ),
    "deterministic": "a rule counts, no model is asked",
    "learned": "ridge regression on sentence embeddings, fitted on gold",
    "gold": "gold of the simulated web: planted truth",
    "callable": "a function of your own",
}


def describe(grader: Grader, store: Store | None = None) -> str:
    """One plain sentence on what made the number; with a store also how good the grader is by its gold."""
    about = f"{grader.name}: {about_check(grader) if isinstance(grader, SupportGrader) else _ABOUT[grader.kind]}"
    if store is None or grader.kind == "gold":
        return about
    return f"{about}. {measure_quality(store, grader.name, grader.version).text()}"
