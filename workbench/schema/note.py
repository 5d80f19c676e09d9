"""What a reader writes down on a trajectory: a note of a kind, on all of it, on a step, or on words of the report."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from workbench.schema.canonical import content_hash

NoteAnchor: TypeAlias = Literal["trajectory", "step", "report"]
NoteKind: TypeAlias = Literal["mistake", "insight", "near_miss", "hack", "note", "tag"]
NOTE_KINDS: tuple[NoteKind, ...] = ("mistake", "insight", "near_miss", "hack", "note", "tag")
MOST_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Note:
    """`position` is the step of a note on a step, `start` and `end` are character offsets in the report of a note on
    the report. The text of a `tag` is the tag itself. Raises ValueError where kind, anchor and place do not agree.
    """

    trajectory_id: str
    kind: NoteKind
    text: str
    by: str
    at: datetime
    anchor: NoteAnchor = "trajectory"
    position: int | None = None
    start: int | None = None
    end: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in NOTE_KINDS:
            raise ValueError(f"a note is of kind {self.kind!r}; expected one of {', '.join(NOTE_KINDS)}")
        if not self.text.strip():
            raise ValueError(f"a {self.kind.replace('_', ' ')} without words; write what you saw")
        if len(self.text) > MOST_CHARS:
            raise ValueError(f"a note of {len(self.text):,} characters; {MOST_CHARS:,} are the most")
        placed = {"trajectory": (False, False), "step": (True, False), "report": (False, True)}[self.anchor]
        if (self.position is not None, self.start is not None and self.end is not None) != placed:
            raise ValueError(f"a note on {self.anchor} needs its place and no other; found {self.place()}")
        if self.start is not None and self.end is not None and not 0 <= self.start < self.end:
            raise ValueError(f"a note on the report from {self.start} to {self.end}; expected 0 <= start < end")

    @property
    def id(self) -> str:
        """`n-` and 20 hexadecimal digits over all but the time: the same note written twice is one note."""
        place = [self.anchor, self.position, self.start, self.end]
        return "n-" + content_hash([self.trajectory_id, self.kind, self.text, self.by, *place])[:20]

    def place(self) -> str:
        """Where it stands, in words."""
        if self.position is not None:
            return f"step {self.position}"
        if self.start is not None:
            return f"report, characters {self.start:,} to {self.end:,}"
        return "the whole trajectory"
