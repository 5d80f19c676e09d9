"""The policy: a small decoder of the Qwen3 kind, made from a configuration, with weights drawn from a seed."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class ModelShape:
    """Sizes of the decoder. `hidden` is a multiple of `heads`; `context` bounds the tokens of one rollout."""

    hidden: int = 96
    layers: int = 2
    heads: int = 4
    feed_forward: int = 256
    context: int = 1536


def prepare_torch(threads: int) -> None:
    """Few threads (the model is small), and no look at the network: nothing is downloaded."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch

    torch.set_num_threads(threads)


def build_model(shape: ModelShape, vocabulary: int, *, seed: int) -> Any:
    """A `Qwen3ForCausalLM` with tied embeddings. The same seed gives the same weights."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.feed_forward,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        head_dim=shape.hidden // shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        use_cache=True,
        pad_token_id=0,
        attn_implementation="sdpa",
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Qwen3ForCausalLM(config).eval()


def n_parameters(model: Any) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def hidden_states(model: Any, ids_BT: "Tensor") -> "Tensor":
    """B x T x hidden. Rows are padded on the right: under causal attention no real token sees the padding."""
    return cast("Tensor", model.model(input_ids=ids_BT, use_cache=False).last_hidden_state)


def logits_of(model: Any, hidden_Nx: "Tensor") -> "Tensor":
    """N x vocabulary from the N hidden states that are asked for: most positions are observations and need none."""
    return cast("Tensor", model.lm_head(hidden_Nx))
