"""The stress verb prints what it found, also where a single case has no interval."""

import json

import pytest

from tests.workbench.stress.test_lab import RUN, fill
from workbench.cli.main import main
from workbench.store import Store


@pytest.mark.parametrize("limit", ["1", "6"])
def test_the_verb_prints_a_table_and_one_json_document(
    sqlite_store: Store, capsys: pytest.CaptureFixture[str], limit: str
) -> None:
    fill(sqlite_store, 6)
    arguments = ["--store", sqlite_store.url, "stress", "--grader", "citations", "--run", RUN, "--limit", limit]
    assert main(arguments) in (0, 3)
    assert "near_empty" in capsys.readouterr().out
    main([*arguments, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) >= {"attacks", "worst", "rerun_noise", "controls", "verdict"}
