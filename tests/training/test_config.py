"""Configuration: checked at the edge, hashed by what decides a step."""

from dataclasses import replace
from pathlib import Path

import pytest

from training.config import RlConfig, TrainConfig, read_config
from workbench.errors import BadInputError


def test_file_gives_way_to_options_and_options_that_are_absent_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("steps: 7\nseed: 3\nrl: {group: 4}\n")
    config = read_config(path, {"run": "r", "steps": 9, "seed": None})
    assert (config.run, config.steps, config.seed, config.rl.group) == ("r", 9, 3, 4)
    assert config.rl.questions == RlConfig().questions


def test_every_problem_is_named_with_its_place_and_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("steps: 0\nrl: {group: 1, lerning_rate: 0.1}\nmodel: {hidden: big}\n")
    with pytest.raises(BadInputError) as caught:
        read_config(path, {"run": "r"})
    message = str(caught.value)
    for part in ("steps: ", "found 0", "rl.group: ", "rl.lerning_rate: ", "model.hidden: ", "found 'big'"):
        assert part in message


def test_a_list_and_broken_yaml_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("- steps\n")
    with pytest.raises(BadInputError, match="holds list; expected a mapping"):
        read_config(path, {})
    path.write_text("a: [")
    with pytest.raises(BadInputError, match="cannot be read as YAML"):
        read_config(path, {})


def test_version_follows_what_decides_a_step_and_not_how_many_there_are() -> None:
    config = TrainConfig(run="a")
    assert replace(config, run="b", steps=99, threads=2).version == config.version
    assert replace(config, rl=RlConfig(learning_rate=1e-4)).version != config.version
    assert replace(config, seed=1).version != config.version
