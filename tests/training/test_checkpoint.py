"""Checkpoints: whole or absent, and loyal to one reward."""

from pathlib import Path

import pytest
import torch

from training.checkpoint import KEPT, Checkpoint, latest, load, save
from workbench.errors import BadInputError


def at_step(step: int, spec_hash: str = "a" * 16) -> Checkpoint:
    return Checkpoint(
        step=step,
        spec_hash=spec_hash,
        config_hash="c" * 16,
        model={"weight": torch.full((2, 2), float(step))},
        optimiser={"state": {0: {"step": torch.tensor(float(step))}}, "param_groups": [{"lr": 0.1, "params": [0]}]},
        random={"sampling": torch.Generator().manual_seed(step).get_state()},
    )


def test_newest_checkpoint_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    for step in (1, 2, 10):
        save(tmp_path, at_step(step))
    found = latest(tmp_path, spec_hash="a" * 16, config_hash="c" * 16)
    assert found is not None
    assert found.step == 10
    assert torch.equal(found.model["weight"], torch.full((2, 2), 10.0))
    assert found.optimiser["state"][0]["step"] == 10
    assert torch.equal(found.random["sampling"], torch.Generator().manual_seed(10).get_state())
    assert len(list(tmp_path.iterdir())) == KEPT


def test_run_without_a_checkpoint_starts_from_nothing(tmp_path: Path) -> None:
    assert latest(tmp_path / "none", spec_hash="a", config_hash="c") is None


def test_another_reward_or_configuration_is_refused_with_both_hashes(tmp_path: Path) -> None:
    save(tmp_path, at_step(3))
    with pytest.raises(BadInputError, match=r"reward spec aaaaaaaaaaaa, this run asks for bbbb"):
        latest(tmp_path, spec_hash="b" * 16, config_hash="c" * 16)
    with pytest.raises(BadInputError, match=r"configuration cccccccccccc, this run asks for dddd"):
        latest(tmp_path, spec_hash="a" * 16, config_hash="d" * 16)


def test_file_that_is_cut_or_foreign_is_named(tmp_path: Path) -> None:
    path = save(tmp_path, at_step(3))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(BadInputError, match=r"step-000003\.pt cannot be read as a checkpoint"):
        load(path)
    torch.save({"format": 99}, path)
    with pytest.raises(BadInputError, match="format 99; this version reads format 1"):
        load(path)


def test_failed_write_leaves_the_older_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, at_step(1))

    def refuse(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(OSError, match="no space"):
        save(tmp_path, at_step(2))
    monkeypatch.undo()
    found = latest(tmp_path, spec_hash="a" * 16, config_hash="c" * 16)
    assert found is not None and found.step == 1
