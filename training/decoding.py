"""Feeds tokens to many rollouts at once through one key-value cache, and draws from the allowed ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from training.cache import growing_cache

if TYPE_CHECKING:
    from torch import Generator, Tensor


class Decoder:
    """Rollouts side by side. Chunks of unequal length leave holes in the cache, which the mask hides."""

    def __init__(self, model: Any, rows: int, *, pad: int = 0) -> None:
        import torch

        self.model, self.pad = model, pad
        self._cache = growing_cache(model.config)
        self._mask = torch.zeros(rows, 0, dtype=torch.long)
        self._lengths = torch.zeros(rows, dtype=torch.long)
        self._last = torch.zeros(rows, model.config.hidden_size)

    @property
    def rows(self) -> int:
        return len(self._lengths)

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

    def take(self, rows: Sequence[int]) -> "Decoder":
        """A decoder of these rows alone, numbered anew from 0 in the order given. This one stays as it is."""
        import torch

        chosen = torch.tensor(rows, dtype=torch.long)
        taken = Decoder(self.model, len(rows), pad=self.pad)
        taken._cache = growing_cache(
            self.model.config, [(layer.keys[chosen], layer.values[chosen]) for layer in self._cache.layers]
        )
        taken._mask, taken._lengths, taken._last = self._mask[chosen], self._lengths[chosen], self._last[chosen]
        return taken

    def log_distribution(self, rows: Sequence[int], allowed_NV: "Tensor", *, temperature: float) -> "Tensor":
        """Log-probabilities of the next token of these rows over what their grammar allows."""
        import torch

        from training.losses import log_distribution

        with torch.no_grad():
            return log_distribution(self.model.lm_head(self._last[torch.tensor(rows)]) / temperature, allowed_NV)


def join(decoders: Sequence[Decoder]) -> Decoder:
    """One decoder of all rows in order; shorter caches are filled up with holes. Raises ValueError for none."""
    import torch

    if not decoders:
        raise ValueError("nothing to join")
    first = decoders[0]
    width = max(decoder._mask.shape[1] for decoder in decoders)

    def widened(tensors: "Sequence[Tensor]", dim: int) -> "Tensor":
        fill = [torch.nn.functional.pad(t, (0,) * 2 * (t.dim() - 1 - dim) + (0, width - t.shape[dim])) for t in tensors]
        return torch.cat(fill)

    joined = Decoder(first.model, sum(decoder.rows for decoder in decoders), pad=first.pad)
    layers = list(zip(*[decoder._cache.layers for decoder in decoders], strict=True))
    joined._cache = growing_cache(
        first.model.config,
        [(widened([x.keys for x in layer], 2), widened([x.values for x in layer], 2)) for layer in layers],
    )
    joined._mask = widened([decoder._mask for decoder in decoders], 1)
    joined._lengths = torch.cat([decoder._lengths for decoder in decoders])
    joined._last = torch.cat([decoder._last for decoder in decoders])
    return joined


def draw(logp_NV: "Tensor", generator: "Generator") -> tuple[list[int], list[float]]:
    """One token a row, and its log-probability."""
    import torch

    chosen_N1 = torch.multinomial(logp_NV.exp(), 1, generator=generator)
    return chosen_N1.squeeze(1).tolist(), logp_NV.gather(1, chosen_N1).squeeze(1).tolist()
