"""What people prefer and a grader does not see: candidates for criteria and reward terms."""

from workbench.human.missed.candidates import Candidate, Missed, missed_by
from workbench.human.missed.features import FeatureKind, ReportFeatures, read_features

__all__ = ["Candidate", "FeatureKind", "Missed", "ReportFeatures", "missed_by", "read_features"]
