"""What a citation check says: of one report citation by citation, of a grader run by run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from workbench.schema.grade import Grade
from workbench.store import TrajectoryFilter
from workbench.ui import data, routes
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.grades.frames import FRESH_S, read_json
from workbench.ui.components.text import short
from workbench.ui.session import store, store_url
from workbench.ui.theme import RETRIEVAL_WORDS, SUPPORT_WORDS

if TYPE_CHECKING:
    import pandas as pd

GRADER: Final = "citation-support"
CLASS_WORDS: Final[Mapping[str, str]] = {
    **{str(name): words for name, words in SUPPORT_WORDS.items()},
    **{str(name): words for name, words in RETRIEVAL_WORDS.items() if name not in ("opened", "seen")},
}
# Worst first: what a reader comes for.
ORDER: Final = (
    "contradicted", "not_retrieved", "dangling", "unrelated", "partly", "not_checked", "no_trace", "supported",
)  # fmt: skip


def checks_citations(grader: str) -> bool:
    """Whether a grader of this name checks citations."""
    return grader.startswith(GRADER)


def of_grade(identifier: str, grade: Grade) -> None:
    """The figures of one report and all its citations, the faults first."""
    detail: Mapping[str, Any] = grade.detail
    if not checks_citations(grade.grader) or "pairs" not in detail:
        return
    st.subheader("Citations")
    figures.strip(_strip(detail))
    rows = sorted(detail.get("citations", ()), key=lambda row: (ORDER.index(_class(row)), row["ordinal"]))
    if not rows:
        return
    report = store().trajectories.get(identifier).report
    found = store().trajectories.analysis(identifier).citations
    claims = {(c.start, c.end): report[c.claim_start : c.claim_end] for c in found}
    st.dataframe(readable(_table(rows, claims)), hide_index=True)
    st.caption(
        f"{len(rows):,} citations, worst first; one claim with one source counts once in the figures. "
        "The trajectory's report shows each beside the passage it rests on."
    )
    routes.link("trajectory", "the report with its citations →", id=identifier)


def _strip(detail: Mapping[str, Any]) -> list[figures.Figure]:
    pairs: Mapping[str, int] = detail["pairs"]
    total, claims = sum(pairs.values()), detail["cited_claims"] + detail["uncited_claims"]
    of_checked = detail["accuracy_of_checked"]
    high = detail["effective_high"]
    counted = ", ".join(f"{pairs[name]} {CLASS_WORDS[name]}" for name in ORDER if pairs.get(name))
    return [
        figures.Figure(_bounded(detail["accuracy"]), "accuracy", f"of {total:,} citations: {counted or 'none'}"),
        figures.Figure(
            "not measured" if of_checked is None else f"{of_checked:.2f}",
            "accuracy where a source could be read",
            "never retrieved ones left out",
        ),
        figures.Figure(
            f"{detail['effective']:,}" + (f" to {high:,}" if high != detail["effective"] else ""),
            "effective citations",
            f"supported, of {detail['effective_sources']:,} sources",
        ),
        figures.Figure(
            _bounded(detail["coverage"]),
            "coverage of claims",
            f"of {claims:,} claims that need a citation {detail['uncited_claims']:,} have none",
        ),
    ]


def _bounded(found: Mapping[str, float] | None) -> str:
    """The value; where verdicts are missing, where it could lie."""
    if found is None:
        return "not measured"
    low, high = found["low"], found["high"]
    return f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"


def _class(row: Mapping[str, Any]) -> str:
    return str(row["support"]) if row["retrieval"] in ("opened", "seen") else str(row["retrieval"])


def _table(rows: Sequence[Mapping[str, Any]], claims: Mapping[tuple[int, int], str]) -> "pd.DataFrame":

    return framed(
        [
            {
                "": CLASS_WORDS[_class(row)],
                "claim": short(claims.get((row["start"], row["end"]), ""), 300),
                "source": row["url"] or "",
                "rests on": row.get("quote", ""),
                "why": row.get("reason", ""),
            }
            for row in rows
        ]
    )


def panel(grader: str) -> None:
    """Accuracy, effective citations and coverage by run, each with its interval over questions."""
    found = _frame(store_url(), grader)
    if found.empty:
        figures.nothing_here(
            "No report has figures on its citations.", remedy="`workbench grade --grader citation-support --run RUN`"
        )
        return

    rows = []
    for run, mine in found.groupby("run"):
        spreads = {name: data.spread(mine, name) for name in ("accuracy", "coverage", "effective")}
        row: dict[str, object] = {"run": str(run), "reports": len(mine)}
        for name, spread in spreads.items():
            row |= {name: spread.text(), f"{name} 95%": spread.qualifier()}
        rows.append(row | {CLASS_WORDS[name]: int(mine[name].sum()) for name in ORDER if found[name].any()})
    st.dataframe(readable(framed(rows)), hide_index=True)
    st.caption(
        "Accuracy: mean credit of a report's citations (partly = one half; never retrieved = 0). Effective: supported "
        "citations a report. Coverage: claims with a supported citation, of all that need one. Missing verdicts count "
        f"one half; intervals resample questions (seed {data.SEED}). Failed and abstained grades are not in it."
    )


@st.cache_data(ttl=FRESH_S, show_spinner="Reading citations …", max_entries=4)
def _frame(_url: str, grader: str) -> "pd.DataFrame":

    rows = []
    for batch in store().columns.grades(TrajectoryFilter(grader=grader), bodies=True):
        for place, said in enumerate(batch["detail"]):
            detail = read_json(said)
            if batch["outcome"][place] != "scored" or "pairs" not in detail:
                continue
            rows.append(
                {
                    "run": batch["run"][place],
                    "question_id": batch["question_id"][place],
                    "accuracy": (detail["accuracy"] or {}).get("value"),
                    "coverage": (detail["coverage"] or {}).get("value"),
                    "effective": float(detail["effective"]),
                    **{name: detail["pairs"].get(name, 0) for name in ORDER},
                }
            )
    return framed(rows)
