"""How far runs search, where reports go wrong, in which ways they fail: each figure with its n and its rows."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import build_sample_store
from benchmarks.simulated_web.agents import SAMPLE
from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob
from workbench.ui.components.phases_page.wrong import costs, differences
from workbench.ui.session import split_names

HOSTILE = "<script>alert(1)</script>"
SMALL = SamplePlan(questions=8, attempts=2, stressed_reports=0, agents=tuple(SAMPLE))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('phases') / 'sample.db'}"
    with open_store(url) as store:
        build_sample_store(store, job=NullJob(), plan=SMALL)
    return url


@pytest.fixture
def store(sample: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("WORKBENCH_STORE", sample)
    return open_store(sample)


def links(app: AppTest) -> dict[str, str]:
    """Label -> query string of every link on the page."""
    return {link.proto.label: link.proto.query_string for link in app.get("page_link")}


def test_empty_store_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_STORE", f"sqlite:///{tmp_path / 'empty.db'}")
    assert "No trajectory is in this store yet" in visible(run_page("phases"))


def test_reports_without_grades_say_so_and_still_show_their_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'few.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    open_store(url).trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(2)])
    text = visible(run_page("phases"))
    assert "No grade yet" in text and "2 trajectories of 1 runs on 1 questions" in text
    assert "this tail needs 100" in text  # the 99th percentile of two
    assert "No groups: 2 texts; groups are looked for from 20 on." in text


def test_medians_and_tails_are_those_of_the_store(store: Store) -> None:
    app = run_page("phases", figure="sites_opened")
    table = next(h for h in (element.proto.body for element in app.get("html")) if "99th percentile" in h)
    columns = store.trajectories.columns(TrajectoryFilter(run="sim-broad"))
    largest = max(columns["sites_opened"])
    row = re.search(r"<td>sim-broad</td>(.*?)</tr>", table)
    assert row is not None
    cells = re.findall(r"<td class='n'>(.*?)</td>", row.group(1))
    assert cells[0] == "16" and cells[-1] == f"<b>{largest:,.0f}</b>"
    assert re.fullmatch(
        r"<b>\d+(\.\d)?</b> <small>\[.*\]</small>", cells[1]
    )  # eight questions bear a median's interval
    assert re.fullmatch(r"<b>\d+(\.\d)?</b>", cells[2])
    assert "not measured" in cells[3]


def test_low_grades_are_counted_and_lead_to_their_rows(store: Store) -> None:
    app = run_page("phases", grader="gold", low="0.5")
    columns = store.trajectories.columns(TrajectoryFilter(grader="gold"))
    low = sum(score <= 0.5 for score in columns["score"])
    assert f"**{low:,} of {len(columns['score']):,}**" in visible(app)
    assert "max=0.5" in links(app)["Show them →"]


def test_classes_of_citations_are_compared_on_the_same_question(store: Store) -> None:
    import pandas as pd

    assert store
    rows = pd.DataFrame(
        {
            "question_id": pd.Categorical(["a", "a", "b", "b", "c"]),
            "score": [0.2, 0.6, 0.5, 0.9, 0.1],
            **{f"retrieval_{name}": [0] * 5 for name in ("opened", "seen", "dangling", "no_trace")},
            "retrieval_not_retrieved": [1, 0, 2, 0, 3],
        }
    )
    (one,) = costs(rows)
    assert (one.retrieval, one.n) == ("not_retrieved", 3)
    assert one.apart.value == pytest.approx(-0.4)  # type: ignore[union-attr]
    assert one.of_the_mean == pytest.approx(-0.24)


def test_fabricated_citations_and_thin_research_show_in_their_phase(store: Store) -> None:
    from workbench.ui.components.phases_page.rows import chosen_rows

    assert store
    rows = chosen_rows((), "gold").rows
    found = {one.name: one for one in differences(rows, rows["score"] <= 0.25)}
    faults, sites = found["fault_share"], found["sites_opened"]
    assert faults.phase == "synthesis" and faults.low_mean > faults.other_mean
    assert sites.phase == "research" and sites.low_mean < sites.other_mean


def test_ways_to_fail_have_terms_numbers_and_their_rows_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'judged.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    items = [new(example_trajectory(question=f"Question {q}?", attempt=n)) for q in range(10) for n in range(3)]
    for place, identifier in enumerate(made.trajectories.add_batch(items).ids):
        reason = ("the cited page was never opened", "no figure is given for the second year")[place % 3 == 0]
        verdict = CriterionVerdict("sound", "not met", 0.0, reason=f"{HOSTILE} {reason}")
        made.grades.add(identifier, Grade("judge", "v", f"c{place}", "scored", score=0.1, raw=0.1, verdicts=(verdict,)))
    app = run_page("phases", low="0.5")
    text = visible(app)
    assert "**30** :gray[reasons of lost points, of reports with a score up to 0.5]" in text
    assert "<span>never opened</span>" in text and "20 reasons of lost points, 67% of them" in text
    assert r"\<script\>" in text and text.count("<script") == text.count(r"\<script")
    query = links(app)["Open these 20 in the table →"]
    table = run_page("trajectories", ids=parse_qs(query)["ids"][0])
    assert "**20 of 30**" in visible(table) and "20 that a link names" in visible(table)


def test_link_that_names_trajectories_filters_the_table(store: Store) -> None:
    ids = store.trajectories.ids(TrajectoryFilter())[:3]
    assert split_names(",".join(ids)) == list(ids)
    assert "**3 of " in visible(run_page("trajectories", ids=",".join(ids)))
