"""S and R on real trajectories against a computation of ten lines that imports nothing of the reward."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.shared_data import shared
from tests.workbench.reward.by_the_article import Row, assert_equal, independent
from workbench.cli.main import main
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.reference import build_from_store, save_targets
from workbench.reward.resolve import exact, find_grader
from workbench.reward.score import RunScore, load_material, score_material
from workbench.schema.reward import RewardSpec
from workbench.store import Store, open_store
from workbench.store.rows import TrajectoryFilter


@pytest.fixture(scope="module")
def webdancer(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Store]:
    """The public file in two runs, `first` and `second`: the second holds what answers a question once more.

    Quality is the checklist over the recorded answers, graded as a user would.
    """
    home = tmp_path_factory.mktemp("webdancer")
    url = f"sqlite:///{home / 'store.db'}"
    seen: set[str] = set()
    files = {name: (home / f"{name}.jsonl").open("w", encoding="utf-8") for name in ("first", "second")}
    for line in shared("webdancer-trajectories/sample_traj.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)["messages"][1]["content"]
        files["second" if question in seen else "first"].write(line + "\n")
        seen.add(question)
    for name, file in files.items():
        file.close()
        assert main(["--store", url, "import", str(home / f"{name}.jsonl"), "--run", name]) == 0
    with open_store(url) as store:
        sheets = {}
        for id_ in store.trajectories.ids(TrajectoryFilter()):
            answers = [text for group in json.loads(store.trajectories.source(id_))["answer"] for text in group]
            facts = [{"id": f"a{n}", "any_of": [text]} for n, text in enumerate(answers) if text.strip()]
            sheets[store.trajectories.row(id_).question_id] = {"facts": facts}
        store.sheets.put("checklist", sheets)
        for name in files:
            assert main(["--store", url, "grade", "--grader", "checklist", "--run", name]) in (0, 3)
        yield store


def spec() -> RewardSpec:
    return read_spec_file(library_specs()["search-rl-checklist"])


def facts(store: Store, *runs: str) -> tuple[Row, ...]:
    return store.trajectories.facts(TrajectoryFilter(run=runs))


def quality(store: Store) -> dict[str, float]:
    columns = store.grades.scores("checklist")
    pairs = zip(columns["trajectory_id"], columns["score"], strict=True)
    return {id_: score for id_, score in pairs if score is not None}


def score(store: Store, runs: list[str], references: list[str], *, leave_out: tuple[str, ...] = ()) -> RunScore:
    table = build_from_store(store, references, leave_out=leave_out)
    material = load_material(store, runs, exact(find_grader(store, "checklist")))
    return score_material(spec(), material, table.by_question)


def test_against_reference_runs(webdancer: Store) -> None:
    everything = facts(webdancer, "first", "second")
    expected = independent(everything, everything, quality(webdancer))
    assert_equal(score(webdancer, ["first", "second"], ["first", "second"]), expected)
    assert len(expected) > 100
    assert sum(0 < S < 1 for S, _ in expected.values()) >= 5
    assert len({round(R, 6) for _, R in expected.values()}) > 5


@pytest.mark.parametrize(("run", "other"), [("first", "second"), ("second", "first")])
def test_leave_one_run_out(webdancer: Store, run: str, other: str) -> None:
    expected = independent(facts(webdancer, run), facts(webdancer, other), quality(webdancer))
    found = score(webdancer, [run], ["first", "second"], leave_out=(run,))
    assert_equal(found, expected)
    assert found.scored + found.failed == len(facts(webdancer, run))
    assert any(0 < S < 1 for S, _ in expected.values())
    if run == "first":
        # Most questions were answered in one run only: no target from the other, so no reward, and the reason is told.
        assert any(reason.startswith("no target for its question") for reason in found.dropped)


def test_score_verb_tells_the_same(webdancer: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = build_from_store(webdancer, ["first"])
    save_targets(webdancer, table)
    path = tmp_path / "spec.yaml"
    path.write_text(library_specs()["search-rl-checklist"].read_text(), encoding="utf-8")
    argv = ["--store", webdancer.url, "--json", "reward", "score", "--spec", str(path), "--run", "second"]
    code = main([*argv, "--targets", table.version])
    answer = json.loads(capsys.readouterr().out)
    expected = independent(facts(webdancer, "second"), facts(webdancer, "first"), quality(webdancer))
    assert answer["scored"] == len(expected)
    assert answer["mean"] == pytest.approx(sum(R for _, R in expected.values()) / len(expected))
    assert answer["components"]["shaping"] == pytest.approx(sum(S for S, _ in expected.values()) / len(expected))
    assert code == (3 if answer["failed"] else 0)
