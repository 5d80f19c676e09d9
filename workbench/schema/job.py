"""Long work as one kind of thing: import, grade, stress, diagnose, bench, train, export."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue

JobState: TypeAlias = Literal["queued", "running", "paused", "stopping", "stopped", "done", "failed"]
JOB_ENDED: frozenset[JobState] = frozenset({"stopped", "done", "failed"})


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the jobs table. `rate_per_s` and `left_s` are None until they can be measured.

    `failed_items` counts items that failed without ending the job; `result` is the job's JSON answer once done.
    """

    id: str
    kind: str
    arguments: tuple[str, ...]
    state: JobState
    done: int = 0
    total: int | None = None
    failed_items: int = 0
    rate_per_s: float | None = None
    left_s: float | None = None
    cost_usd: float | None = None
    error: str = ""
    pid: int | None = None
    created_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    heartbeat_at: datetime | None = None
    result: Mapping[str, JsonValue] = field(default_factory=dict)


def duration_words(seconds: float) -> str:
    """`2 h 5 min`, `3 min 20 s`, `8 s`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
