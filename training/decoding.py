"""Feeds tokens to many rollouts at once through one key-value cache, and draws from the allowed ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass
class Decoder:
    """`rows` rollouts side by side. Chunks of unequal length leave holes in the cache, which the mask hides."""

    model: Any
    rows: int
    pad: int = 0
    _cache: Any = None
    _mask: "Tensor" = field(init=False)
    _lengths: "Tensor" = field(init=False)
    _last: "Tensor" = field(init=False)

    def __post_init__(self) -> None:
        import torch

        from training.cache import growing_cache

        self._cache = growing_cache(self.model.config)
        self._mask = torch.zeros(self.rows, 0, dtype=torch.long)
        self._lengths = torch.zeros(self.rows, dtype=torch.long)
        self._last = torch.zeros(self.rows, self.model.config.hidden_size)

    def feed(self, chunks: Sequence[Sequence[int]]) -> None:
        """Appends one chunk a row; an empty chunk leaves its row as it is."""
        import torch

        width = max(len(chunk) for chunk in chunks)
        if width == 0:
            return
        ids_BW = torch.tensor([[*chunk, *[self.pad] * (width - len(chunk))] for chunk in chunks])
        counts_B = torch.tensor([len(chunk) for chunk in chunks])
        real_BW = torch.arange(width)[None, :] < counts_B[:, None]
        self._mask = torch.cat([self._mask, real_BW.long()], dim=1)
        # A padded place gets the position of the token before it, so that it stays within the model's range.
        offsets_BW = torch.minimum(torch.arange(width)[None, :], (counts_B[:, None] - 1).clamp(min=0))
        with torch.no_grad():
            hidden_BWx = self.model.model(
                input_ids=ids_BW,
                attention_mask=self._mask,
                position_ids=self._lengths[:, None] + offsets_BW,
                cache=self._cache,
                use_cache=True,
            ).last_hidden_state
        fed_B = counts_B > 0
        self._last[fed_B] = hidden_BWx[fed_B, counts_B[fed_B] - 1]
        self._lengths += counts_B

    def keep(self, rows: Sequence[int]) -> None:
        """Forgets all rows but these, which are numbered anew from 0 in the order given."""
        import torch

        chosen = torch.tensor(rows)
        self._cache.batch_select_indices(chosen)
        self._mask, self._lengths, self._last = self._mask[chosen], self._lengths[chosen], self._last[chosen]
        self.rows = len(rows)

    def log_distribution(self, rows: Sequence[int], allowed_NV: "Tensor", *, temperature: float) -> "Tensor":
        """Log-probabilities of the next token of these rows over what their grammar allows."""
        import torch

        from training.losses import log_distribution

        with torch.no_grad():
            return log_distribution(self.model.lm_head(self._last[torch.tensor(rows)]) / temperature, allowed_NV)


def draw(logp_NV: "Tensor", generator: "Generator") -> tuple[list[int], list[float]]:
    """One token a row, and its log-probability."""
    import torch

    chosen_N1 = torch.multinomial(logp_NV.exp(), 1, generator=generator)
    return chosen_N1.squeeze(1).tolist(), logp_NV.gather(1, chosen_N1).squeeze(1).tolist()
