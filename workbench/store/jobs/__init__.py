"""Jobs: long work as rows that CLI and browser start, watch, pause, stop and resume."""

from workbench.store.jobs.handle import JobHandle, JobStopped, LogLevel, NullJob

__all__ = ["JobHandle", "JobStopped", "LogLevel", "NullJob"]
