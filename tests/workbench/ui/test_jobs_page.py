"""The Jobs page: an import that ended, its log, and the records that it set aside, one by one."""

from pathlib import Path

import pytest

from tests.workbench.ingest.importing import chat, write_lines
from tests.workbench.ui.pages import run_page, visible
from workbench.cli.main import main
from workbench.store import open_store
from workbench.ui.components import quarantine as module

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An import of two good records and three bad ones, the last of which is not UTF-8."""
    monkeypatch.chdir(tmp_path)
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    bad = [b"{broken " + HOSTILE.encode(), b'{"messages": 3}', b'{"x": "\xff"}']
    write_lines(tmp_path / "mixed.jsonl", [chat("a"), *bad, chat("b")])
    assert main(["--store", url, "import", "mixed.jsonl"]) == 3
    with open_store(url) as store:
        return store.jobs.list()[0].id


def test_records_set_aside_are_browsed_one_at_a_time(job: str) -> None:
    app = run_page("jobs", job=job)
    text = visible(app)
    assert "Set aside: 3 records" in text and "**1 of 3**" in text
    assert any(HOSTILE in code.value for code in app.code)  # a code block shows it as text
    next(button for button in app.button if button.label == "next ▶").click().run()
    assert "**2 of 3**" in visible(app) and app.query_params["record"] == "2"
    text = visible(run_page("jobs", job=job, record="99"))
    assert "**3 of 3**" in text


def test_records_of_one_reason_are_a_list_of_their_own(job: str) -> None:
    app = run_page("jobs", job=job)
    box = next(box for box in app.selectbox if box.label == "Reason")
    assert box.options[0] == "any (3)"
    box.select(box.options[1].removesuffix(" (1)")).run()
    assert "**1 of 1**" in visible(app)
    assert app.query_params["reason"]


def test_record_too_long_for_the_page_says_how_much_is_shown(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SHOWN", 5)
    app = run_page("jobs", job=job)
    assert "The first 5 of 33 characters" in visible(app)


def test_jobs_are_shown_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'many.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    with open_store(url) as store:
        for n in range(27):
            store.jobs.create("import", ("import", f"file-{n}"))
    text = visible(run_page("jobs", page="2"))
    assert "jobs 26 to 27 of 27" in text and text.count("queued") == 2


def test_store_without_a_job_says_what_will_be_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_STORE", f"sqlite:///{tmp_path / 'none.db'}")
    assert "No job yet" in visible(run_page("jobs"))
