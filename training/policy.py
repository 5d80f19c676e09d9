"""The policy's distribution at the places where it wrote: what losses are computed from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from training import losses
from training.batches import TokenBatch
from training.grammar import Grammar
from training.model import hidden_states, logits_of

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Scored:
    """Of the N policy tokens of a batch: log-probability as written, and the whole log-distribution (N x V)."""

    logp: "Tensor"
    distribution: "Tensor"


def policy_logits(model: Any, batch: TokenBatch) -> "Tensor":
    """N x V. Only hidden states that predict policy tokens reach the head."""
    return logits_of(model, losses.predictors(hidden_states(model, batch.ids), batch.mask))


def score(model: Any, grammar: Grammar, batch: TokenBatch, *, temperature: float = 1.0) -> Scored:
    """Log-probabilities under the grammar's mask, as the sampler draws them."""
    logp_NV = losses.log_distribution(policy_logits(model, batch) / temperature, grammar.table()[batch.rows])
    chosen_N = losses.targets(batch.ids, batch.mask)
    return Scored(logp_NV.gather(1, chosen_N[:, None]).squeeze(1), logp_NV)
