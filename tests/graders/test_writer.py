"""A model that writes from collected evidence: what it is shown, what counts as a report, how its sources are named."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.evidence_case import writing_case
from graders.writer import ModelWriter, WriterOptions
from graders.writer_registry import load_writer
from graders.writer_words import finish_report, why_no_report
from tests.graders.fake_endpoint import FakeEndpoint, completion, failure
from tests.graders.helpers import gateway_to, trajectory
from workbench.errors import BadInputError
from workbench.phases import analyse
from workbench.schema.protocols import ReportWriter
from workbench.schema.writing import WrittenReport
from workbench.store import Store

CASE = writing_case(trajectory(3, report="My own secret report."), 10_000)


def writer(endpoint: FakeEndpoint, store: Store | None = None, **options: Any) -> ModelWriter:
    values: dict[str, Any] = {"model": "large", "base_url": endpoint.base_url, **options}
    return ModelWriter(WriterOptions(**values), gateway_to(store))


def write(by: ReportWriter) -> WrittenReport:
    return asyncio.run(by.write(CASE))


def test_it_sees_the_evidence_and_not_the_agents_report(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion("It is 3.5 km long [2].")
    write(writer(endpoint))

    asked = str(endpoint.requests[0]["messages"])
    assert "The Alder Bridge is 3.5 km long." in asked
    assert "secret" not in asked


def test_what_it_cites_is_listed_with_its_address_and_found_again_by_the_citation_reader(
    endpoint: FakeEndpoint,
) -> None:
    endpoint.responder = lambda _: completion("The Alder Bridge is 3.5 km long [2].")
    done = write(writer(endpoint))

    assert done.outcome == "written"
    assert done.report is not None
    assert "[2] https://bridges.example/3" in done.report
    found = analyse(replace(CASE.trajectory, report=done.report)).citations
    assert [(citation.url, citation.retrieval) for citation in found] == [("https://bridges.example/3", "opened")]
    assert isinstance(writer(endpoint), ReportWriter)


def test_every_document_is_accounted_for(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion("It is long [2] [9].")
    detail: Any = write(writer(endpoint)).detail

    named = [*detail["kept"], *detail["shortened"], *(item["number"] for item in detail["left_out"])]
    assert sorted(named) == [1, 2]
    assert detail["cited"] == [2]
    assert detail["unknown_numbers"] == [9]


@pytest.mark.parametrize(
    ("text", "finish"),
    [
        ("", "stop"),
        ("   \n", "stop"),
        ("The bridge is", "length"),
        ("Half of it", "content_filter"),
        ("I'm sorry, but I can't help with that.", "stop"),
        ("I cannot assist with this request.", "stop"),
        ("<think>What shall I say?</think>", "stop"),
    ],
)
def test_a_reply_that_is_no_report_is_a_failure(endpoint: FakeEndpoint, text: str, finish: str) -> None:
    endpoint.responder = lambda _: completion(text, finish=finish)
    done = write(writer(endpoint))

    assert (done.outcome, done.report) == ("writer_failed", None)
    assert done.reason


def test_a_report_that_begins_with_sorrow_is_no_refusal() -> None:
    assert why_no_report("I cannot find the length in the sources, but the span is 2 km [1].", "stop") == ""


def test_a_second_run_makes_no_call_and_a_kept_failure_is_drawn_again(endpoint: FakeEndpoint, store: Store) -> None:
    endpoint.script.extend([completion("", finish="stop"), completion("It is long [2].")])
    assert write(writer(endpoint, store)).outcome == "writer_failed"
    assert write(writer(endpoint, store)).outcome == "written"
    calls = endpoint.calls
    assert write(writer(endpoint, store)).outcome == "written"
    assert endpoint.calls == calls


def test_a_lost_connection_is_an_outcome(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: failure(500)
    assert write(writer(endpoint)).outcome == "infra_failed"


def test_a_context_that_is_too_small_is_packed_tighter(endpoint: FakeEndpoint) -> None:
    too_long = failure(400, "This model's maximum context length is 10 tokens; please reduce the length")
    endpoint.script.extend([too_long, completion("It is long [2].")])
    done = write(writer(endpoint))

    assert done.outcome == "written"
    assert done.case_hash == CASE.case_hash
    first, second = (len(str(request["messages"])) for request in endpoint.requests)
    assert second < first


def test_self_asks_the_model_of_the_trajectory(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion("It is long [2].")
    write(writer(endpoint, model="self"))
    assert endpoint.requests[0]["model"] == "agent"


ADDRESSES = {1: "https://a.example", 2: "https://b.example", 3: ""}


@pytest.mark.parametrize(
    ("text", "cited", "unknown"),
    [
        ("A [1] and B [2].", (1, 2), ()),
        ("A [1, 2].", (1, 2), ()),
        ("A [1-3].", (1, 2, 3), ()),
        ("A [7](https://x.example).", (), ()),
        ("In [2024] it was so [2].", (2,), (2024,)),
        ("Nothing.", (), ()),
    ],
)
def test_numbers_are_read_as_citations(text: str, cited: tuple[int, ...], unknown: tuple[int, ...]) -> None:
    done = finish_report(text, ADDRESSES)
    assert (done.cited, done.unknown) == (cited, unknown)


def test_a_list_of_its_own_gives_way_to_ours() -> None:
    done = finish_report(
        "A is so [2].\n\n## References\n\n[1] https://wrong.example\n[2] https://bad.example\n", ADDRESSES
    )

    assert done.own_list_removed
    assert done.text == "A is so [2].\n\n## Sources\n\n[2] https://b.example"


OWN = """
def short(case):
    return f"{case.question} See [1]." if case.addresses else None

def empty(case):
    return ""

class Mine:
    name, version, kind, evidence_chars = "mine", "1", "callable", 0
    async def write(self, case):
        raise RuntimeError("no")
"""


def test_writers_of_the_users_own(tmp_path: Path, store: Store) -> None:
    (tmp_path / "own.py").write_text(OWN)
    made = write(load_writer(f"{tmp_path}/own.py:short", store=store))
    assert made.report == "How long is bridge 3? See [1]."
    assert write(load_writer(f"{tmp_path}/own.py:empty", store=store)).outcome == "writer_failed"
    assert load_writer(f"{tmp_path}/own.py:Mine", store=store).name == "mine"
    with pytest.raises(BadInputError, match="writer"):
        load_writer(f"{tmp_path}/own.py:none", store=store)
