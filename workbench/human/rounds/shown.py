"""The text of one side that a round's page shows, and the pairs that cannot be shown or had better not be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.errors import BadInputError
from workbench.human.blind.masking import Masker
from workbench.human.blind.normalise import normalise
from workbench.human.blind.research import researched
from workbench.human.rounds.page import PageForm
from workbench.human.rounds.pairing import Pair
from workbench.schema.canonical import JsonValue
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True, slots=True)
class SetAside:
    """A pair that is not put before raters. `excerpt` may name a vendor; it does not say which side it stands on."""

    question_id: str
    first: str
    second: str
    reason: str
    excerpt: str = ""

    def to_json(self) -> dict[str, JsonValue]:
        """`reports` are kept for batches to come; nobody is shown them while the round is open."""
        return {
            "question_id": self.question_id,
            "reports": [self.first, self.second],
            "reason": self.reason,
            "excerpt": self.excerpt,
        }


NO_RESEARCH = "one of the two runs called no tool: there is no research to show"
NO_REWRITE = "one of the two has no rewritten report of this writer"


def reasons_of(settings: Mapping[str, JsonValue]) -> Mapping[str, int]:
    """Why pairs of a round were set aside, and how many for each reason, the commonest first."""
    kept: Any = settings.get("set_aside") or []
    return dict(Counter(str(one["reason"]) for one in kept).most_common())


def with_writer(store: Store, page: PageForm, pairs: Sequence[Pair]) -> PageForm:
    """The page with its writer named, the same one for every side: two writers would tell two systems apart.

    Raises BadInputError where several wrote and none was named, or the one named wrote nothing.
    """
    if page.shows != "rewrites":
        return page
    runs = {run for pair in pairs for run in (pair.first_run, pair.second_run)}
    columns = store.rewrites.columns(runs=sorted(runs))
    rows = zip(columns["writer"], columns["outcome"], strict=True)
    writers = sorted({writer for writer, outcome in rows if outcome == "written"})
    if page.writer is None and len(writers) == 1:
        return replace(page, writer=writers[0])
    if page.writer is None and writers:
        raise BadInputError(f"reports were rewritten by {', '.join(writers)}: name one writer")
    if page.writer not in writers:
        known = ", ".join(writers) or "(nobody): run `workbench diagnose` first"
        raise BadInputError(
            f"no report of these runs was rewritten by {page.writer or 'a writer'}; writers are {known}"
        )
    return page


def text_shown(store: Store, page: PageForm, trajectory_id: str) -> str:
    """The report, or its first rewrite by the page's writer, empty where there is none."""
    if page.shows != "rewrites":
        return store.trajectories.report(trajectory_id)
    written = (one for _, one in store.rewrites.for_trajectory(trajectory_id) if one.writer == page.writer)
    return next((one.report for one in written if one.report is not None), "")


def names_of_runs(store: Store, runs: Sequence[str]) -> tuple[str, ...]:
    """Every name that could tell a round's systems apart: of the runs, and of the models within them."""
    names = dict.fromkeys(runs)
    for run in runs:
        names.update(dict.fromkeys(store.trajectories.columns(TrajectoryFilter(run=run))["model"]))
    return tuple(name for name in names if name)


def split(
    store: Store, page: PageForm, pairs: Sequence[Pair], runs: Sequence[str]
) -> tuple[tuple[Pair, ...], tuple[SetAside, ...]]:
    """(pairs to show, pairs set aside and why): nothing to show on a side, or a name left that may be the author's.

    Raises BadInputError where no pair can be shown.
    """
    names = names_of_runs(store, runs)
    why: dict[str, tuple[str, str] | None] = {}
    questions: dict[str, str] = {}

    def doubt(identity: str) -> tuple[str, str] | None:
        if identity not in why:
            row = store.trajectories.row(identity)
            questions[identity] = row.question
            why[identity] = _why_not(store, page, identity, Masker(names, question=row.question))
        return why[identity]

    kept: list[Pair] = []
    aside: list[SetAside] = []
    for pair in pairs:
        found = doubt(pair.first) or doubt(pair.second)
        if found is None:
            kept.append(pair)
        else:
            aside.append(SetAside(pair.question_id, pair.first, pair.second, *found))
    if not kept:
        reasons = "; ".join(f"{reason} ({n})" for reason, n in Counter(one.reason for one in aside).most_common())
        raise BadInputError(f"none of the {len(pairs)} pairs can be shown: {reasons}")
    return tuple(kept), tuple(aside)


def _why_not(store: Store, page: PageForm, identity: str, masker: Masker) -> tuple[str, str] | None:
    if page.shows == "research":
        return None if researched(store.trajectories.get(identity)) else (NO_RESEARCH, "")
    text = text_shown(store, page, identity)
    if not text.strip():
        return NO_REWRITE, ""
    doubts = masker.doubts(normalise(text))
    return (f"a name was left that may be the author's: {doubts[0].reason}", doubts[0].excerpt) if doubts else None
