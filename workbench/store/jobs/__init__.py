"""Jobs: long work as rows that CLI and browser start, watch, pause, stop and resume."""

from workbench.store.jobs.attached import AttachedJob
from workbench.store.jobs.handle import JobHandle, JobStopped, LogLevel, NullJob
from workbench.store.jobs.repository import Jobs, LogLine

__all__ = ["AttachedJob", "JobHandle", "JobStopped", "Jobs", "LogLevel", "LogLine", "NullJob"]
