"""The cache changes how fast a rollout is played, never what the model says."""

import random
from typing import Any

import pytest
import torch

from training.decoding import Decoder, draw, join
from training.model import ModelShape, build_model, hidden_states, n_parameters

VOCABULARY = 40
SHAPE = ModelShape(hidden=32, layers=2, heads=2, feed_forward=64)


@pytest.fixture(scope="module")
def model() -> Any:
    return build_model(SHAPE, VOCABULARY, seed=0)


def chunks(rng: random.Random, rows: int) -> list[list[int]]:
    return [[rng.randrange(1, VOCABULARY) for _ in range(rng.randrange(0, 6))] for _ in range(rows)]


def assert_same(model: Any, decoder: Decoder, histories: list[list[int]]) -> None:
    """The next-token distribution of every row is that of a plain forward pass over its history."""
    everything = torch.ones(len(histories), VOCABULARY, dtype=torch.bool)
    found = decoder.log_distribution(range(len(histories)), everything, temperature=1.0)
    for row, history in zip(found, histories, strict=True):
        with torch.no_grad():
            plain = model.lm_head(hidden_states(model, torch.tensor([history]))[0, -1]).log_softmax(-1)
        torch.testing.assert_close(row, plain, atol=1e-4, rtol=1e-4)


def test_uneven_chunks_give_what_a_plain_pass_gives(model: Any) -> None:
    rng = random.Random(1)
    decoder, histories = Decoder(model, 4), [[1], [2], [3], [4]]
    decoder.feed([[1], [2], [3], [4]])
    for _ in range(8):
        fed = chunks(rng, 4)
        decoder.feed(fed)
        for history, chunk in zip(histories, fed, strict=True):
            history.extend(chunk)
        assert_same(model, decoder, histories)


def test_rows_taken_out_and_joined_again_go_on_as_before(model: Any) -> None:
    rng = random.Random(2)
    decoder, histories = Decoder(model, 4), [[1], [2], [3], [4]]
    decoder.feed([[1], [2], [3], [4]])
    parked = decoder.take([2, 0])
    rest, rest_histories = decoder.take([1, 3]), [histories[1], histories[3]]
    for _ in range(3):
        fed = chunks(rng, 2)
        rest.feed(fed)
        for history, chunk in zip(rest_histories, fed, strict=True):
            history.extend(chunk)
    together, all_histories = join([parked, rest]), [histories[2], histories[0], *rest_histories]
    assert_same(model, together, all_histories)
    fed = [[5, 6], [], [7], [8, 9, 10]]
    together.feed(fed)
    for history, chunk in zip(all_histories, fed, strict=True):
        history.extend(chunk)
    assert_same(model, together, all_histories)


def test_more_tokens_than_the_cache_had_room_for(model: Any) -> None:
    decoder = Decoder(model, 1)
    history = [1 + i % 30 for i in range(600)]
    for start in range(0, 600, 100):
        decoder.feed([history[start : start + 100]])
    assert_same(model, decoder, [history])


def test_forbidden_tokens_are_never_drawn() -> None:
    allowed = torch.tensor([[False, True, False, True]])
    logp = torch.where(allowed, torch.tensor([[9.0, 0.0, 9.0, 0.0]]), torch.tensor(-1e9)).log_softmax(-1)
    generator = torch.Generator().manual_seed(0)
    drawn = [draw(logp, generator)[0][0] for _ in range(200)]
    assert set(drawn) == {1, 3}


def test_same_seed_same_weights() -> None:
    one, two, other = (build_model(SHAPE, VOCABULARY, seed=seed) for seed in (3, 3, 4))
    assert n_parameters(one) < 100_000
    weights = [next(iter(m.parameters())) for m in (one, two, other)]
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])
