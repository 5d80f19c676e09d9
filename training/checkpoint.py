"""What a run needs to go on as if it had never stopped: weights, optimiser, random states, and whose reward it learns.

Files are written beside and renamed, so that a kill leaves the older one whole. A checkpoint names the reward spec and
the configuration it was made under, and refuses to continue under another.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import BadInputError

if TYPE_CHECKING:
    from torch import Tensor

FORMAT = 1
KEPT = 2


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """State after `step` steps. `random` maps a generator's name to its state, a torch byte tensor."""

    step: int
    spec_hash: str
    config_hash: str
    model: "Mapping[str, Tensor]"
    optimiser: Mapping[str, Any]
    random: "Mapping[str, Tensor]"
    format: int = FORMAT


def write_atomically(path: Path, data: bytes) -> None:
    """The file appears whole or not at all, also after a power cut."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def save(folder: Path, checkpoint: Checkpoint) -> Path:
    """Writes `step-NNNNNN.pt` and removes all but the newest two."""
    import io

    import torch

    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    torch.save(asdict_shallow(checkpoint), buffer)
    path = folder / f"step-{checkpoint.step:06d}.pt"
    write_atomically(path, buffer.getvalue())
    for old in sorted(folder.glob("step-*.pt"))[:-KEPT]:
        old.unlink()
    return path


def asdict_shallow(checkpoint: Checkpoint) -> dict[str, Any]:
    """As `dataclasses.asdict`, but tensors are not copied one by one."""
    return {name: getattr(checkpoint, name) for name in checkpoint.__slots__}


def load(path: Path) -> Checkpoint:
    """Raises BadInputError where the file is not a checkpoint of ours. Only tensors and plain values are read."""
    import pickle

    import torch

    try:
        raw = torch.load(path, weights_only=True, map_location="cpu")
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise BadInputError(f"{path} cannot be read as a checkpoint ({error}); remove it to start over") from error
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        found = raw.get("format") if isinstance(raw, dict) else type(raw).__name__
        raise BadInputError(f"{path} has checkpoint format {found!r}; this version reads format {FORMAT}")
    return Checkpoint(**raw)


def latest(folder: Path, *, spec_hash: str, config_hash: str) -> Checkpoint | None:
    """The newest checkpoint of a run, None if it has none.

    Raises BadInputError where it was made under another reward or configuration: going on would mix two rewards in
    one curve.
    """
    paths = sorted(folder.glob("step-*.pt"))
    if not paths:
        return None
    found = load(paths[-1])
    for what, was, now in (
        ("reward spec", found.spec_hash, spec_hash),
        ("configuration", found.config_hash, config_hash),
    ):
        if was != now:
            raise BadInputError(
                f"{paths[-1]} was made under {what} {was[:12]}, this run asks for {now[:12]}; "
                f"resume with the same {what}, or choose another run name"
            )
    return found
