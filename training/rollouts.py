"""Plays many episodes at once: all rows write one action, all rows read what came back, until the last has reported.

A report is much longer than a call. Rows that begin one are set aside, so that nobody waits for them, and all reports
are written together at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from training.decoding import Decoder, draw, join
from training.grammar import Action, ActionReader, Grammar

if TYPE_CHECKING:
    from torch import Generator


class PlayedEpisode(Protocol):
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
class _Seat:
    """One rollout in play: its open action, and what its decoder must still read."""

    episode: PlayedEpisode
    path: TokenPath
    unread: list[int]
    reader: ActionReader
    rows: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)

    def take(self, token: int, row: int, logprob: float) -> bool:
        """Writes one token; True once the action is complete, answered, and its answer waits to be read."""
        self.rows.append(row)
        self.logprobs.append(logprob)
        self.unread.append(token)
        action = self.reader.take(token)
        if action is None:
            return False
        self.path.write(self.reader.written, self.rows, self.logprobs)
        answer = self.episode.act(action)
        if answer:
            self.path.observe(answer)
        self.unread.extend(answer)
        self.rows, self.logprobs = [], []
        if not self.episode.done:
            self.reader = self.episode.reader()
        return True


def play(
    model: Any,
    grammar: Grammar,
    episodes: Sequence[PlayedEpisode],
    *,
    generator: "Generator",
    temperature: float = 1.0,
) -> list[TokenPath]:
    """Samples every episode to its end. Log-probabilities are of the masked, tempered distribution drawn from."""
    writer = _Writer(grammar, generator, temperature)
    seats = [_Seat(episode, TokenPath(), list(episode.prompt), episode.reader()) for episode in episodes]
    for seat in seats:
        seat.path.observe(seat.episode.prompt)
    live, decoder = list(seats), Decoder(model, len(seats), pad=grammar.tokenizer.pad)
    aside: list[tuple[Decoder, list[_Seat]]] = []
    while live:
        _read(decoder, live)
        reporting = writer.write_action(decoder, live)
        if reporting:
            aside.append((decoder.take(reporting), [live[place] for place in reporting]))
        staying = [i for i, seat in enumerate(live) if i not in reporting and not seat.episode.done]
        if len(staying) < len(live):
            decoder, live = decoder.take(staying), [live[place] for place in staying]
    if aside:
        reporters = [seat for _, seats_aside in aside for seat in seats_aside]
        together = join([parked for parked, _ in aside])
        _read(together, reporters)
        writer.write_action(together, reporters, to_the_end=True)
    return [seat.path for seat in seats]


def _read(decoder: Decoder, seats: Sequence[_Seat]) -> None:
    decoder.feed([seat.unread for seat in seats])
    for seat in seats:
        seat.unread = []


@dataclass
class _Writer:
    grammar: Grammar
    generator: "Generator"
    temperature: float

    def write_action(self, decoder: Decoder, seats: Sequence[_Seat], *, to_the_end: bool = False) -> list[int]:
        """Each seat writes one whole action. Returns the places of those that began a report, unless they go on
        `to_the_end` with it."""
        import torch

        report = self.grammar.tokenizer.mark("report")
        reporting: list[int] = []
        writing = list(range(len(seats)))
        while writing:
            rows = [self.grammar.row(seats[place].reader.place) for place in writing]
            allowed_NV = self.grammar.table()[torch.tensor(rows)]
            logp_NV = decoder.log_distribution(writing, allowed_NV, temperature=self.temperature)
            tokens, logprobs = draw(logp_NV, self.generator)
            still: list[int] = []
            for place, token, row, logprob in zip(writing, tokens, rows, logprobs, strict=True):
                if seats[place].take(token, row, logprob):
                    continue
                if token == report and not to_the_end:
                    reporting.append(place)
                else:
                    still.append(place)
            if still:
                going_on = set(still)
                decoder.feed([seat.unread if place in going_on else [] for place, seat in enumerate(seats)])
                for place in still:
                    seats[place].unread = []
            writing = still
        return reporting
