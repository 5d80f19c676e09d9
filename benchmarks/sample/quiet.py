"""A part of a job that must not move the whole job's progress bar."""

from collections.abc import Mapping
from types import TracebackType

from workbench.schema.canonical import JsonValue
from workbench.store.jobs import JobHandle, LogLevel
from workbench.store.jobs.handle import Cost


class QuietJob(JobHandle):
    """Passes on pausing, stopping and log lines, and keeps progress and result to itself."""

    def __init__(self, whole: JobHandle) -> None:
        self._whole = whole

    def progress(
        self, done: int, total: int | None = None, *, failed: int | None = None, cost_usd: Cost = None
    ) -> None:
        """Not told: the whole job counts its steps."""

    def log(self, text: str, level: LogLevel = "info") -> None:
        self._whole.log(text, level)

    def checkpoint(self) -> None:
        self._whole.checkpoint()

    async def async_checkpoint(self) -> None:
        await self._whole.async_checkpoint()

    def finish(self, result: Mapping[str, JsonValue]) -> None:
        """Not told: the whole job is not done with its part."""

    def fail(self, error: str) -> None:
        self._whole.log(error, "error")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
