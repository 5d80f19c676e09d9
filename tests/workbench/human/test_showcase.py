"""What is shown of a side: passages that marks open, research in one form, rewrites, and sites of one system."""

from typing import Any

import pytest

from tests.workbench.human.research_sample import FACT, fill_traced, question
from tests.workbench.human.sample import RUNS, add, trajectory_of
from workbench.errors import BadInputError
from workbench.human.desk import Desk
from workbench.human.rounds import create_round, plan_round
from workbench.human.rounds.page import PageForm
from workbench.schema.ballot import Round
from workbench.schema.writing import WrittenReport
from workbench.store import Store

NAMES = ("vessel", "quillxl", "quill-xl", "berths.org", "https://")


def shown(store: Store, page: PageForm, runs: tuple[str, str] = (RUNS[0].name, RUNS[1].name)) -> tuple[Any, Round]:
    round_, _ = create_round(store, plan_round(store, runs=runs, raters=1), name="shown", page=page)
    return Desk(store).view(round_.id, "rater-1"), round_


def set_aside(round_: Round) -> Any:
    return round_.settings["set_aside"]


def everything(view: Any) -> str:
    return str([view[key] for key in ("left", "right", "passages", "traces")]).casefold()


def test_mark_opens_the_passage_of_what_the_run_opened(sqlite_store: Store) -> None:
    fill_traced(sqlite_store)
    view, _ = shown(sqlite_store, PageForm())
    for side in ("left", "right"):
        assert 'data-p="0">[1]</span>' in view[side]
        assert 'data-p="">[2]</span>' in view[side]  # nothing retrieved carries it: the mark looks alike and says so
        (passage,) = view["passages"][side]
        marked = passage.partition("<mark>")[2].partition("</mark>")[0]
        assert marked.startswith("Berth") and FACT[9:40] in marked
        assert "<script" not in passage and "[model]" in passage and "↗" in passage


def test_no_name_and_no_address_stands_in_passages_or_research(sqlite_store: Store) -> None:
    fill_traced(sqlite_store)
    for page in (PageForm(trace=True), PageForm(shows="research")):
        view, _ = shown(sqlite_store, page)
        assert [name for name in NAMES if name in everything(view)] == []
        assert "[site]" in everything(view)  # a host that one system names on three questions


def test_passages_open_on_both_sides_or_on_neither(sqlite_store: Store) -> None:
    fill_traced(sqlite_store, questions=1)
    add(sqlite_store, trajectory_of(RUNS[2], question(1), "Without a trace [1].\n\n[1] https://far.example/a\n"))
    view, _ = shown(sqlite_store, PageForm(), (RUNS[0].name, RUNS[2].name))
    assert view["passages"] == {"left": [], "right": []}


def test_research_is_shown_in_one_form_without_the_report(sqlite_store: Store) -> None:
    fill_traced(sqlite_store)
    view, round_ = shown(sqlite_store, PageForm(shows="research"))
    for side in ("left", "right"):
        assert "Searched for <em>[model] berth" in view[side]
        assert "Opened a page" in view[side] and "As [model], I read" not in view[side]
        assert view[side].count("<details>") == 2
    assert (view["shows"], round_.settings["set_aside"]) == ("research", [])


def test_run_that_searched_nothing_leaves_no_pair_on_research(sqlite_store: Store) -> None:
    fill_traced(sqlite_store, questions=1)
    add(sqlite_store, trajectory_of(RUNS[2], question(1), "Without a trace."))
    with pytest.raises(BadInputError, match="called no tool"):
        shown(sqlite_store, PageForm(shows="research"), (RUNS[0].name, RUNS[2].name))


def written(report: str, writer: str = "frozen") -> WrittenReport:
    return WrittenReport(writer, f"{writer}-1", "case", "written", report)


def test_rewrites_of_one_writer_are_shown_in_place_of_reports(sqlite_store: Store) -> None:
    fill_traced(sqlite_store, questions=2)
    plan = plan_round(sqlite_store, runs=[RUNS[0].name, RUNS[1].name], raters=1)
    for side in (plan.pairs[0].first, plan.pairs[0].second):
        sqlite_store.rewrites.add(side, written("Rewritten: 14 metres [1]."))
    view, round_ = shown(sqlite_store, PageForm(shows="rewrites"))
    assert "Rewritten: 14 metres" in view["left"] and "Rewritten: 14 metres" in view["right"]
    (aside,) = set_aside(round_)
    assert "no rewritten report" in aside["reason"]
    sqlite_store.rewrites.add(plan.pairs[0].first, written("Another hand.", writer="other"))
    with pytest.raises(BadInputError, match="name one writer"):
        shown(sqlite_store, PageForm(shows="rewrites"))
    view, _ = shown(sqlite_store, PageForm(shows="rewrites", writer="frozen"))
    assert "Another hand" not in everything(view)


def test_pair_with_a_doubtful_name_is_set_aside_with_the_reason(sqlite_store: Store) -> None:
    body = "\n\n".join(f"Paragraph {n} on berths." for n in range(12))
    for run, ends in ((RUNS[0], ("", "\n\nModel: Claude Opus 4.5")), (RUNS[1], ("", ""))):
        add(sqlite_store, *(trajectory_of(run, question(n), body + end) for n, end in enumerate(ends)))
    view, round_ = shown(sqlite_store, PageForm())
    (aside,) = set_aside(round_)
    assert "may be the author's" in aside["reason"] and "Claude" in aside["excerpt"]
    assert view["progress"] == {"done": 0, "total": 1} and view["question"] == question(0)


def test_plain_markup_evens_out_habits_of_layout(sqlite_store: Store) -> None:
    texts = "# One\n\n1. **a**\n2. b\n\n> c\n\n---\n\nd", "### 🚀 One\n\n- a\n- *b*\n\nc\n\nd"
    add(sqlite_store, *(trajectory_of(run, question(1), text) for run, text in zip(RUNS, texts, strict=False)))
    view, _ = shown(sqlite_store, PageForm(plain_markup=True))
    assert view["left"] == view["right"]
    as_written, _ = shown(sqlite_store, PageForm())
    assert as_written["left"] != as_written["right"]


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"shows": "all"}, "expected one of reports, research, rewrites"),
        ({"writer": "x"}, "a writer goes with"),
        ({"shows": "research", "trace": True}, "shows the trace already"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(form: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        PageForm(**form)
