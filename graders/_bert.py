"""The forward pass of a BERT encoder in numpy: no framework of gigabytes for a model of 22 million weights.

Architecture: Devlin et al. 2019, as `transformers.BertModel` computes it (checked against it in the tests).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from workbench.errors import BadInputError

Floats: TypeAlias = npt.NDArray[np.float32]

_HEADER_LIMIT = 10_000_000


@dataclass(frozen=True, slots=True)
class BertShape:
    """Sizes that the weights do not say themselves."""

    heads: int
    layers: int
    epsilon: float
    positions: int


def read_shape(path: Path) -> BertShape:
    """From a `config.json`. Raises BadInputError where it describes another architecture than the one computed here."""
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        shape = BertShape(
            int(config["num_attention_heads"]),
            int(config["num_hidden_layers"]),
            float(config["layer_norm_eps"]),
            int(config["max_position_embeddings"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"{path} is not the configuration of a BERT model: {error}") from None
    found = (config.get("model_type"), config.get("hidden_act"), config.get("position_embedding_type", "absolute"))
    if found != ("bert", "gelu", "absolute"):
        raise BadInputError(f"{path} describes {found}; expected a BERT model with gelu and absolute positions")
    return shape


def read_safetensors(path: Path) -> dict[str, Floats]:
    """All float32 tensors of the file, by name. Raises BadInputError for a file that is cut, foreign or not float32."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if not 2 <= size <= _HEADER_LIMIT:
                raise ValueError("its header has an impossible length")
            header = json.loads(file.read(size))
            body = file.read()
        return {
            name: _tensor(name, about, body)
            for name, about in header.items()
            # Buffers of positions, kept by older exports, are no weights.
            if name != "__metadata__" and not str(about["dtype"]).startswith("I")
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInputError(f"{path} is not a safetensors file that can be read here: {error}") from None


def _tensor(name: str, about: Mapping[str, Any], body: bytes) -> Floats:
    start, stop = about["data_offsets"]
    if about["dtype"] != "F32" or not 0 <= start <= stop <= len(body):
        raise ValueError(f"tensor {name} is {about['dtype']}; expected whole float32 tensors")
    return np.frombuffer(body[start:stop], dtype="<f4").reshape(about["shape"])


class Bert:
    """`hidden(ids)`: token ids of one text -> last hidden states, tokens x width, float32.

    One text at a time, without padding: the same text gives the same bits whatever it is read together with.
    """

    def __init__(self, weights: Mapping[str, Floats], shape: BertShape) -> None:
        self.shape = shape
        try:
            self._words = weights["embeddings.word_embeddings.weight"]
            self.width = int(self._words.shape[1])
            self._places = (
                weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
            )
            self._embedding_norm = _norm_of(weights, "embeddings.LayerNorm")
            self._layers = [_Layer(weights, f"encoder.layer.{index}", shape) for index in range(shape.layers)]
        except KeyError as error:
            raise BadInputError(f"the weights lack {error}; expected those of a BERT model") from None

    def hidden(self, ids: list[int]) -> Floats:
        """Raises ValueError for no tokens or more than the model has positions for."""
        if not 0 < len(ids) <= self.shape.positions:
            raise ValueError(f"expected 1 to {self.shape.positions} tokens; found {len(ids)}")
        states = _normed(self._words[ids] + self._places[: len(ids)], self._embedding_norm, self.shape.epsilon)
        for layer in self._layers:
            states = layer(states)
        return states


class _Layer:
    def __init__(self, weights: Mapping[str, Floats], prefix: str, shape: BertShape) -> None:
        self.shape = shape
        parts = [_linear_of(weights, f"{prefix}.attention.self.{name}") for name in ("query", "key", "value")]
        # One product in place of three.
        self._mixing = (np.hstack([weight for weight, _ in parts]), np.hstack([bias for _, bias in parts]))
        self._attended = _linear_of(weights, f"{prefix}.attention.output.dense")
        self._attended_norm = _norm_of(weights, f"{prefix}.attention.output.LayerNorm")
        self._up = _linear_of(weights, f"{prefix}.intermediate.dense")
        self._down = _linear_of(weights, f"{prefix}.output.dense")
        self._norm = _norm_of(weights, f"{prefix}.output.LayerNorm")

    def __call__(self, states: Floats) -> Floats:
        tokens, width = states.shape
        heads = self.shape.heads
        mixed = states @ self._mixing[0] + self._mixing[1]
        query, key, value = mixed.reshape(tokens, 3, heads, width // heads).transpose(1, 2, 0, 3)
        scores = (query @ key.transpose(0, 2, 1)) * np.float32((width // heads) ** -0.5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        attended = (scores @ value).transpose(1, 0, 2).reshape(tokens, width)
        states = _normed(states + _applied(attended, self._attended), self._attended_norm, self.shape.epsilon)
        inner = _applied(states, self._up)
        inner *= np.float32(0.5) * (np.float32(1.0) + erf(inner * np.float32(0.5**0.5)))
        return _normed(states + _applied(inner, self._down), self._norm, self.shape.epsilon)


def _linear_of(weights: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]


def _norm_of(weights: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _applied(states: Floats, linear: tuple[Floats, Floats]) -> Floats:
    product: Floats = states @ linear[0]
    product += linear[1]
    return product


def _normed(states: Floats, norm: tuple[Floats, Floats], epsilon: float) -> Floats:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    scaled: Floats = centred / spread * norm[0] + norm[1]
    return scaled
