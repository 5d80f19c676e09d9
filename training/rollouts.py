"""Plays many episodes at once: all rows write one action, all rows read what came back, until the last has reported."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from training.decoding import Decoder, draw
from training.grammar import Action, ActionReader, Grammar

if TYPE_CHECKING:
    from torch import Generator


class Episode(Protocol):
    """What the sampler needs of a world. `done` after a report or when the world ended the episode."""

    @property
    def prompt(self) -> list[int]: ...

    @property
    def done(self) -> bool: ...

    def reader(self) -> ActionReader: ...

    def act(self, action: Action) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Segment:
    """Tokens of one message: all the policy's (`own`) or all observed. `rows` are grammar rows, own tokens only."""

    own: bool
    ids: tuple[int, ...]
    rows: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()


@dataclass
class TokenPath:
    """The token history of one rollout, message by message."""

    segments: list[Segment] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(len(segment.ids) for segment in self.segments)

    def observe(self, ids: Sequence[int]) -> None:
        self.segments.append(Segment(False, tuple(ids)))

    def write(self, ids: Sequence[int], rows: Sequence[int], logprobs: Sequence[float] = ()) -> None:
        self.segments.append(Segment(True, tuple(ids), tuple(rows), tuple(logprobs)))


@dataclass
class _Row:
    """One rollout in play: its open action, and what it must still read."""

    index: int
    reader: ActionReader | None = None
    rows: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)


def play(
    model: Any,
    grammar: Grammar,
    episodes: Sequence[Episode],
    *,
    generator: "Generator",
    temperature: float = 1.0,
) -> list[TokenPath]:
    """Samples every episode to its end. Log-probabilities are of the masked, tempered distribution drawn from."""
    paths = [TokenPath() for _ in episodes]
    live = [_Row(i) for i in range(len(episodes))]
    for row, episode in zip(live, episodes, strict=True):
        paths[row.index].observe(episode.prompt)
        row.unread = list(episode.prompt)
    decoder = Decoder(model, len(live), pad=grammar.tokenizer.pad)
    while live:
        decoder.feed([row.unread for row in live])
        for row in live:
            row.reader, row.rows, row.logprobs, row.unread = episodes[row.index].reader(), [], [], []
        _write_actions(decoder, grammar, live, episodes, paths, generator=generator, temperature=temperature)
        staying = [place for place, row in enumerate(live) if not episodes[row.index].done]
        if len(staying) < len(live) and staying:
            decoder.keep(staying)
        live = [live[place] for place in staying]
    return paths


def _write_actions(
    decoder: Decoder,
    grammar: Grammar,
    live: Sequence[_Row],
    episodes: Sequence[Episode],
    paths: Sequence[TokenPath],
    *,
    generator: "Generator",
    temperature: float,
) -> None:
    """Each row writes one whole action and gets what the world answers; the last token is fed with the answer."""
    import torch

    writing = list(range(len(live)))
    while writing:
        rows = [grammar.row(live[place].reader.place) for place in writing]  # type: ignore[union-attr]
        allowed_NV = grammar.table()[torch.tensor(rows)]
        tokens, logprobs = draw(decoder.log_distribution(writing, allowed_NV, temperature=temperature), generator)
        still: list[int] = []
        for place, token, row_number, logprob in zip(writing, tokens, rows, logprobs, strict=True):
            row = live[place]
            assert row.reader is not None
            row.rows.append(row_number)
            row.logprobs.append(logprob)
            action = row.reader.take(token)
            row.unread = [token]
            if action is None:
                still.append(place)
                continue
            path, episode = paths[row.index], episodes[row.index]
            path.write(row.reader.written, row.rows, row.logprobs)
            answer = episode.act(action)
            if answer:
                path.observe(answer)
            row.unread.extend(answer)
        if still:
            decoder.feed([live[place].unread if place in set(still) else [] for place in range(len(live))])
        writing = still
