"""Rollouts as padded arrays. B rollouts x T tokens, padded on the right; N policy tokens in row order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.rollouts import TokenPath

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """`mask` (B x T) is 1 on policy tokens. `rows` (N) are their grammar rows, `old` (N) the log-probabilities with
    which they were drawn, empty for scripted rollouts."""

    ids: "Tensor"
    mask: "Tensor"
    rows: "Tensor"
    old: "Tensor"

    @property
    def policy_tokens(self) -> int:
        return int(self.mask.sum())


def collate(paths: Sequence[TokenPath], *, pad: int) -> TokenBatch:
    """Raises ValueError for an empty batch, and where some rollouts carry log-probabilities and others do not."""
    import torch

    if not paths:
        raise ValueError("a batch needs at least one rollout")
    width = max(path.length for path in paths)
    ids_BT = torch.full((len(paths), width), pad, dtype=torch.long)
    mask_BT = torch.zeros(len(paths), width, dtype=torch.long)
    rows: list[int] = []
    old: list[float] = []
    for b, path in enumerate(paths):
        at = 0
        for segment in path.segments:
            end = at + len(segment.ids)
            ids_BT[b, at:end] = torch.tensor(segment.ids)
            mask_BT[b, at:end] = int(segment.own)
            rows.extend(segment.rows)
            old.extend(segment.logprobs)
            at = end
    if old and len(old) != len(rows):
        raise ValueError(f"{len(rows)} policy tokens carry {len(old)} log-probabilities; expected one each or none")
    return TokenBatch(ids_BT, mask_BT, torch.tensor(rows, dtype=torch.long), torch.tensor(old))


def by_length(paths: Sequence[TokenPath], size: int) -> Iterator[list[int]]:
    """Indices in chunks of `size`, neighbours of like length together: less padding, the same sums."""
    order = sorted(range(len(paths)), key=lambda i: (paths[i].length, i))
    for start in range(0, len(order), size):
        yield order[start : start + size]
