"""The independent judge through the command line: training never sees it, and what training saw is never one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.graders.fake_endpoint import FakeEndpoint
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.cli.main import main
from workbench.store import open_store

SPEC = """
kind: reward-spec
name: {name}
stage: search_rl
report_source: agent
quality: {{grader: {grader}}}
shaping:
  weight: 0.5
  terms: [{{name: distinct_sites, weight: 1.0, target: 5, counts: opened}}]
  zero_target: full_credit
combine: blend
guards: []
on_failure: drop_sample
normalise: group
targets: ""
gates: {{golden: exact}}
"""
ENSEMBLE = """
kind: ensemble
name: pair
combine: worst
members:
  - {{grader: answer-and-sources, model: one, base_url: {url}}}
  - {{grader: citations}}
"""


class Cli:
    """The command line on one store with three reports, and judges that say yes."""

    def __init__(self, url: str, endpoint: FakeEndpoint, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.url, self.endpoint, self.folder, self.capsys = url, endpoint, folder, capsys
        endpoint.responder = judge_saying(lambda _: "yes")

    def __call__(self, *words: str) -> tuple[int, dict[str, Any], str]:
        code = main(["--store", self.url, "--json", *words])
        said = self.capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    def grade(
        self, model: str | None, *more: str, grader: str = "answer-and-sources"
    ) -> tuple[int, dict[str, Any], str]:
        served = () if model is None else ("--model", model, "--base-url", self.endpoint.base_url)
        return self("grade", "--grader", grader, "--run", "a", *served, *more)

    def spec(self, grader: str, name: str = "mine") -> str:
        path = self.folder / f"{name}.yaml"
        path.write_text(SPEC.format(grader=grader, name=name))
        return str(path)

    def export(self, grader: str) -> tuple[int, dict[str, Any], str]:
        job = self.folder / f"job-{len(list(self.folder.iterdir()))}"
        return self("export", "--spec", self.spec(grader), "--force", "a test", str(job))


@pytest.fixture
def cli(sqlite_url: str, endpoint: FakeEndpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    with open_store(sqlite_url) as store:
        put(store, [trajectory(n) for n in range(3)])
    return Cli(sqlite_url, endpoint, tmp_path, capsys)


def test_the_role_is_kept_and_shown_again_without_being_asked_for(cli: Cli) -> None:
    assert cli.grade("one", "--role", "independent")[1]["role"] == "independent"
    assert cli.grade("one")[1]["role"] == "independent"
    assert cli.grade("two")[1]["role"] is None
    assert main(["--store", cli.url, "grade", "--grader", "citations", "--run", "a", "--role", "independent"]) == 0
    assert "no training sees it" in cli.capsys.readouterr().out


@pytest.mark.parametrize("verb", ["score", "compare", "new", "export"])
def test_no_reward_is_made_of_an_independent_judge(cli: Cli, verb: str) -> None:
    cli.grade("one", "--role", "independent")
    spec = cli.spec("answer-and-sources")
    words = {
        "score": ("reward", "score", "--spec", spec, "--run", "a"),
        "compare": ("reward", "compare", spec, "--run", "a"),
        "new": ("reward", "new", "--from", spec),
        "export": ("export", "--spec", spec, "--force", "a test", str(cli.folder / "job")),
    }[verb]
    code, _, said = cli(*words)
    assert code == 2
    assert "independent judge" in said
    assert not (cli.folder / "job").exists()


def test_another_version_with_the_same_rubric_and_model_is_refused_and_another_model_is_not(cli: Cli) -> None:
    cli.grade("one", "--role", "independent")
    copy = cli.folder / "copy.yaml"
    text = (Path(__file__).parents[2] / "rubrics" / "library" / "answer-and-sources.yaml").read_text()
    copy.write_text(text.replace("name: answer-and-sources", "name: renamed"))
    assert cli.grade("one", grader=str(copy))[0] == 0
    code, _, said = cli.export("renamed")
    assert code == 2
    assert "same rubric by the same model" in said
    assert cli.grade("two", grader=str(copy))[0] == 0
    assert cli("reward", "score", "--spec", cli.spec("renamed/two"), "--run", "a")[0] == 0


def test_an_ensemble_that_holds_the_independent_judge_is_refused(cli: Cli) -> None:
    cli.grade("one", "--role", "independent")
    path = cli.folder / "pair.yaml"
    path.write_text(ENSEMBLE.format(url=cli.endpoint.base_url))
    assert cli.grade(None, grader=str(path))[0] == 0
    code, _, said = cli("reward", "score", "--spec", cli.spec("pair"), "--run", "a")
    assert code == 2
    assert "holds" in said


def test_what_an_export_used_cannot_become_independent_nor_its_twin(cli: Cli) -> None:
    cli.grade("one")
    code, _, said = cli.export("answer-and-sources/one")
    assert code == 0, said
    code, _, said = cli.grade("one", "--role", "independent")
    assert code == 2
    assert "went into training" in said
    assert cli.grade("one")[1]["role"] == "training"
    assert cli.grade("two", "--role", "independent")[0] == 0


def test_a_folder_whose_judge_became_independent_elsewhere_is_not_trained_on(cli: Cli, tmp_path: Path) -> None:
    from training.task import open_task
    from workbench.errors import BadInputError

    cli.grade("one")
    answer = cli.export("answer-and-sources/one")[1]
    with open_store(f"sqlite:///{tmp_path / 'other.db'}") as other:
        put(other, [trajectory(n) for n in range(3)])
    elsewhere = Cli(f"sqlite:///{tmp_path / 'other.db'}", cli.endpoint, tmp_path, cli.capsys)
    assert elsewhere.grade("one", "--role", "independent")[0] == 0
    with open_store(elsewhere.url) as other, pytest.raises(BadInputError, match="independent judge"):
        open_task(other, Path(answer["job"]))


def test_an_unknown_role_is_bad_input(cli: Cli) -> None:
    assert cli.grade("one", "--role", "friend")[0] == 2
