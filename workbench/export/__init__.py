"""The chosen reward as a folder that a training job runs without the workbench."""

from workbench.export.load import ExportedJob, load_job

__all__ = ["ExportedJob", "load_job"]
