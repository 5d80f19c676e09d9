"""Graders: what made each number, how good it is against gold, and where its scores lie."""

from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.stats.bootstrap import bootstrap
from workbench.stats.estimate import Estimate, Measured
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.text import escaped, plain
from workbench.ui.session import store
from workbench.ui.start import start_job

if TYPE_CHECKING:
    import pandas as pd

GOLD: Final = "gold"
KIND_WORDS: Final = {
    "llm": "a language model by API",
    "local_model": "a small local language model",
    "deterministic": "a formula, no model",
    "learned": "a model learned from gold",
    "gold": "gold: knows the simulated world's truth",
    "callable": "your own code",
    None: "not registered",
}


def page() -> None:
    st.title("Graders")
    figures.simulated_mark(data.any_simulated())
    _grade_form()
    summaries = store().grades.graders()
    if not summaries:
        figures.nothing_here(
            "Nothing was graded yet.",
            remedy="Start a grading above, or `workbench grade --grader citations --run RUN`.",
        )
        return
    for summary in sorted(summaries, key=lambda found: (-found.n_scored, found.name)):
        with st.container(border=True):
            kind = KIND_WORDS.get(summary.kind, summary.kind)
            st.markdown(f"**{plain(summary.name)}**  :gray[@{summary.version[:8]} · {kind}]")
            cost = "unknown" if summary.cost_usd is None else f"{summary.cost_usd:.4f} USD"
            shown = [
                figures.Figure(
                    "not measured" if summary.mean_score is None else f"{summary.mean_score:.3f}", "mean score"
                ),
                figures.Figure(f"{summary.n_scored:,}", "scored"),
                figures.Figure(f"{summary.n_abstained:,}", "abstained"),
                figures.Figure(f"{summary.n_failed:,}", "failed, never a score"),
                figures.Figure(cost, "cost", f"{summary.n_unpriced:,} without a price" if summary.n_unpriced else ""),
            ]
            if summary.kind != GOLD:
                shown.extend(_against_gold(f"{summary.name}@{summary.version}"))
            figures.strip(shown)
    _distribution()


def _grade_form() -> None:
    with st.expander("Grade a run", expanded=not store().grades.graders()):
        left, middle, right = st.columns(3)
        runs = data.run_names()
        run = left.selectbox("Run", runs, key="grade-run")
        grader = middle.selectbox(
            "Grader",
            ["citations", "checklist", GOLD, "deep-research-report", "rubric file or path/file.py:Object"],
            key="grade-grader",
        )
        if grader.startswith("rubric file"):
            grader = middle.text_input("Path", key="grade-path").strip()
        model = right.text_input("Model (LLM graders)", placeholder="the local model", key="grade-model").strip()
        if st.button("Grade", type="primary", disabled=not (run and grader)):
            start_job(["grade", "--grader", grader, "--run", run, *(["--model", model] if model else [])])


def scores_of(grader: str) -> "pd.DataFrame":
    """Mean scored grade of each trajectory by one grader: trajectory_id, question_id, run, score."""
    import pandas as pd

    rows = pd.DataFrame(store().grades.scores(grader))
    if rows.empty:
        return rows
    scored = rows[rows["outcome"] == "scored"]
    return scored.groupby(["trajectory_id", "question_id", "run"], as_index=False).agg(score=("score", "mean"))


def _against_gold(grader: str) -> list[figures.Figure]:
    """How often the grader orders two attempts at one question as gold does; half for a tie of the grader."""
    gold, mine = scores_of(GOLD), scores_of(grader)
    if gold.empty or mine.empty:
        return [figures.Figure("not measured", "agreement with gold", "no gold grades of these")]
    both = gold.merge(mine, on=["trajectory_id", "question_id"], suffixes=("_gold", "_mine"))
    found = pairwise_accuracy(both)
    if not isinstance(found, Estimate):
        return [figures.Figure("not measured", "pairs ordered as gold does", found.reason)]
    bounds = "" if found.low is None or found.high is None else f"[{found.low:.2f}, {found.high:.2f}] "
    return [
        figures.Figure(
            f"{found.value:.2f}", "pairs ordered as gold does", f"{bounds}n={found.n} questions, chance 0.50"
        )
    ]


def pairwise_accuracy(both: "pd.DataFrame") -> Measured:
    """Share of within-question pairs that gold orders and the grader orders alike, resampled by question."""
    import numpy as np

    wins: list[float] = []
    pairs: list[int] = []
    for _, rows in both.groupby("question_id"):
        gold, mine = rows["score_gold"].to_numpy(), rows["score_mine"].to_numpy()
        upper = np.triu_indices(len(gold), k=1)
        by_gold = np.sign(np.subtract.outer(gold, gold)[upper])
        by_mine = np.sign(np.subtract.outer(mine, mine)[upper])
        decided = by_gold != 0
        if decided.any():
            agree = by_gold[decided] == by_mine[decided]
            tied = by_mine[decided] == 0
            wins.append(float(agree.sum() + tied.sum() / 2))
            pairs.append(int(decided.sum()))
    won, of = np.asarray(wins), np.asarray(pairs, dtype=float)
    return bootstrap(lambda rows: float(won[rows].sum() / of[rows].sum()), len(of), seed=data.SEED, resamples=1000)


def _distribution() -> None:
    import plotly.graph_objects as go

    st.header("Where the scores lie")
    grader = data.choose_grader("graders-grader", "Grader")
    if grader is None:
        return
    rows = scores_of(grader)
    if rows.empty:
        figures.nothing_here("This grader has no scored grade.", remedy="See its failures on the Jobs page.")
        return
    figure = go.Figure()
    for index, (run, mine) in enumerate(rows.groupby("run")):
        figure.add_histogram(
            x=mine["score"],
            name=escaped(f"{run} (n={len(mine)})"),
            xbins={"start": 0, "end": 1.0001, "size": 0.05},
            marker_color=theme.SERIES[index % len(theme.SERIES)],
            opacity=0.65,
        )
    figure.update_layout(barmode="overlay")
    plots.show(plots.dress(figure, height=300, x=f"score by {grader}", y="trajectories"), key="graders-histogram")
    lowest = st.columns([1, 1, 3])
    with lowest[0]:
        routes.link("trajectories", "Lowest scores →", grader=grader, sort="score", max="0.3")
    with lowest[1]:
        routes.link("trajectories", "Highest scores →", grader=grader, sort="score", desc="1")
