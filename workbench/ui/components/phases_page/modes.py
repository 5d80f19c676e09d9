"""In which ways reports fail: their words, or what a judge said of them, in groups with names."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import streamlit as st

from workbench.reading.failure_modes import MOST_CHARS, FailureMode, FailureModes, failure_modes
from workbench.store import TrajectoryFilter
from workbench.ui import data, routes
from workbench.ui.components import figures
from workbench.ui.components.choice import one_of
from workbench.ui.components.grades.frames import read_json
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, store, store_url

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

MOST_TEXTS: Final = 2000
# More ids than this make an address that servers refuse.
MOST_LINKED: Final = 1000
SOURCES: Final = {"reasons": "what the grader said", "reports": "the reports themselves"}
# A verdict of less than this of its criterion lost points: its reason is one of failure.
LOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts in parallel with the trajectories that they are of; `of` is how many there were to draw from."""

    texts: tuple[str, ...]
    ids: tuple[str, ...]
    of: int


def modes_section(rows: "pd.DataFrame", grader: str | None, bound: float | None) -> None:
    """`rows` of the chosen runs; those with a score up to `bound` are grouped, all where it is None."""
    words = SOURCES if grader else {"reports": SOURCES["reports"], "reasons": SOURCES["reasons"]}
    source = one_of("words", words, label="Grouped by", key="phases-words")
    chosen = rows[rows["score"].notna() & (rows["score"] <= bound)] if bound is not None else rows
    chosen = chosen[chosen["report_chars"] > 0] if source == "reports" else chosen
    drawn_from = tuple(chosen["id"])
    ids = tuple(_drawn(drawn_from))
    if source == "reasons" and not grader:
        figures.nothing_here("No grade yet, so no reason either.", remedy="Grade a run on the Graders page.")
        return
    texts = _reports(store_url(), ids) if source == "reports" else _reasons(store_url(), ids, grader or "")
    question_of = dict(zip(chosen["id"], chosen["question_id"], strict=True))
    found = _modes(store_url(), texts.texts, tuple(question_of[one] for one in texts.ids))
    what = "reports" if source == "reports" else "reasons of lost points"
    lowest = "" if bound is None else f", of reports with a score up to {bound:g}"
    st.markdown(f"**{len(texts.texts):,}** :gray[{what}{lowest}{_drawing(texts, len(ids), len(drawn_from))}]")
    if not found.modes:
        figures.nothing_here(f"No groups: {found.reason}.", remedy="Widen the runs or the bound.")
        return
    for mode in found.modes:
        _card(mode, texts, rows, grader, what)
    st.caption(_how(found))


def _drawing(texts: Texts, read: int, of: int) -> str:
    """What was left out, and by which rule; nothing where all is there."""
    some = [f"{read:,} of {of:,} reports"] if read < of else []
    if len(texts.texts) < texts.of:
        some.append(f"{len(texts.texts):,} of their {texts.of:,} reasons")
    return f": {', '.join(some)} drawn with seed {data.SEED}" if some else ""


def _card(mode: FailureMode, texts: Texts, rows: "pd.DataFrame", grader: str | None, what: str) -> None:
    here = list(dict.fromkeys(texts.ids[n] for n in mode.members))
    mine = rows[rows["id"].isin(here)]
    with st.container(border=True):
        chips = "".join(f"<span>{escaped(term)}</span>" for term in mode.terms)
        share = len(mode.members) / len(texts.texts)
        words = f"{len(mode.members):,} {what}, {share:.0%} of them"
        st.html(f"<div class='wbp-mode'><div class='wbp-terms'>{chips}</div><small>{escaped(words)}</small></div>")
        spread = data.spread(mine, "score")
        by_run = Counter(mine["run"]).most_common()
        runs = ", ".join(f"{short(run, 24)} {n:,}" for run, n in by_run[:4]) + (
            f" and {len(by_run) - 4} more" if len(by_run) > 4 else ""
        )
        figures.strip(
            [
                figures.Figure(f"{len(here):,}", "reports", f"{mine['question_id'].nunique():,} questions"),
                figures.Figure(spread.text(), "mean score", spread.qualifier()),
                figures.Figure(f"{len(by_run)}", "runs" if len(by_run) != 1 else "run", runs),
            ]
        )
        st.markdown(f":gray[Most typical:] {plain(short(texts.texts[mode.typical], 320))}")
        left, right = st.columns([2, 5])
        linked = list(mine.sort_values("score", kind="stable")["id"])[:MOST_LINKED]
        some = f"these {len(linked):,}" if len(linked) == len(here) else f"the lowest {len(linked):,} of {len(here):,}"
        with left:
            grading = {"grader": grader} if grader else {}
            routes.link("trajectories", f"Open {some} in the table →", ids=join_names(linked), **grading)
        with right:
            routes.link("trajectory", "Read the typical one →", id=texts.ids[mode.typical])


def _how(found: FailureModes) -> str:
    tried = ", ".join(f"{k}: {value:.2f}" for k, value in found.silhouettes.items())
    cut = f" Of {found.cut:,} longer texts the first {MOST_CHARS:,} characters count." if found.cut else ""
    unused = f" {found.unused:,} texts have no such term and are in no group." if found.unused else ""
    return (
        f"TF-IDF of {found.n_terms:,} words and pairs of words that texts of several questions have (what those of one "
        f"question share is its subject), k-means, seed {found.seed}. The number of groups is the fewest whose mean "
        f"silhouette is within 0.02 of the best ({tried}); it must beat that of the same words shuffled.{cut}{unused}"
    )


@st.cache_data(show_spinner="Reading reports …", max_entries=8)
def _reports(_url: str, ids: tuple[str, ...]) -> Texts:
    texts: list[str] = []
    found: list[str] = []
    for batch in store().columns.trajectories(TrajectoryFilter(ids=ids), bodies=True):
        texts += [visible(report[: MOST_CHARS + 1]) for report in batch["report"]]
        found += batch["id"]
    return Texts(tuple(texts), tuple(found), len(ids))


@st.cache_data(ttl=60, show_spinner="Reading reasons …", max_entries=8)
def _reasons(_url: str, ids: tuple[str, ...], grader: str) -> Texts:
    """The reasons of verdicts that lost points, with their label; a grade's own where it has no verdicts."""
    found: list[tuple[str, str]] = []
    for batch in store().columns.grades(TrajectoryFilter(ids=ids, grader=grader), bodies=True):
        for place, said in enumerate(batch["verdicts"]):
            verdicts = read_json(said)
            lost = [v for v in verdicts if v["value"] is not None and v["value"] < LOST]
            texts = [f"{v['label'] or ''}: {v['reason']}" for v in lost] if verdicts else [batch["reason"][place]]
            found += [(text, batch["trajectory_id"][place]) for text in texts if text.strip(" :")]
    kept = [found[n] for n in _drawn(range(len(found)))]
    return Texts(tuple(visible(text) for text, _ in kept), tuple(one for _, one in kept), len(found))


def _drawn(items: Sequence[T]) -> list[T]:
    """At most MOST_TEXTS of them, drawn with the page's seed, in their order."""
    if len(items) <= MOST_TEXTS:
        return list(items)
    return [items[n] for n in sorted(random.Random(data.SEED).sample(range(len(items)), MOST_TEXTS))]


@st.cache_data(show_spinner="Grouping texts by their words …", max_entries=16)
def _modes(_url: str, texts: tuple[str, ...], questions: tuple[str, ...]) -> FailureModes:
    return failure_modes(texts, questions, seed=data.SEED)
