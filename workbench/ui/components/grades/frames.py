"""Grades and verdicts of one grader version as data frames."""

import json
from typing import TYPE_CHECKING, Any

import orjson
import streamlit as st

from workbench.store import TrajectoryFilter
from workbench.ui.components.cells import framed
from workbench.ui.session import store, store_url

if TYPE_CHECKING:
    import pandas as pd

# What is shown is at most this old; a page that follows a running job is drawn again meanwhile.
FRESH_S = 20


def grades_frame(grader: str) -> "pd.DataFrame":
    """One row a grade, failed ones too: trajectory_id question_id run repeat outcome score cost_usd latency_s ...

    `grader` is `name@` and a version. Of a grade given to another case (a rewritten report) there is none here.
    """
    return _grades(store_url(), grader)


@st.cache_data(ttl=FRESH_S, show_spinner="Reading grades …", max_entries=4)
def _grades(_url: str, grader: str) -> "pd.DataFrame":
    import pandas as pd

    batches = [framed(batch) for batch in store().columns.grades(TrajectoryFilter(grader=grader))]
    found = [batch for batch in batches if not batch.empty]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def verdicts_frame(grader: str) -> "pd.DataFrame":
    """One row a verdict: trajectory_id question_id run repeat criterion label value reason; value NaN where missing."""
    return _verdicts(store_url(), grader)


@st.cache_data(ttl=FRESH_S, show_spinner="Reading verdicts …", max_entries=4)
def _verdicts(_url: str, grader: str) -> "pd.DataFrame":

    rows: list[tuple[object, ...]] = []
    for batch in store().columns.grades(TrajectoryFilter(grader=grader), bodies=True):
        for place, said in enumerate(batch["verdicts"]):
            if batch["outcome"][place] != "scored":
                continue
            key = tuple(batch[name][place] for name in ("trajectory_id", "question_id", "run", "repeat"))
            rows.extend((*key, v["criterion_id"], v["label"], v["value"], v["reason"]) for v in read_json(said))
    columns = ["trajectory_id", "question_id", "run", "repeat", "criterion", "label", "value", "reason"]
    frame = framed({name: [row[place] for row in rows] for place, name in enumerate(columns)})
    frame["value"] = frame["value"].astype(float)
    return frame


def by_trajectory(grades: "pd.DataFrame") -> "pd.DataFrame":
    """Mean scored grade of each trajectory: trajectory_id, question_id, run, score, repeats."""
    if grades.empty:
        return grades
    scored = grades[grades["outcome"] == "scored"]
    return scored.groupby(["trajectory_id", "question_id", "run"], as_index=False, sort=False).agg(
        score=("score", "mean"), repeats=("score", "size")
    )


def read_json(said: str) -> Any:
    """A column of the store that is JSON, whatever texts it holds."""
    try:
        return orjson.loads(said)
    except orjson.JSONDecodeError:  # half of a surrogate pair in a judge's words
        return json.loads(said)
