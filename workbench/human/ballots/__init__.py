"""Votes from and to files in the form of the arenas."""

from workbench.human.ballots.exporting import ExportedVotes, export_votes
from workbench.human.ballots.importing import ImportedVotes, import_votes

__all__ = ["ExportedVotes", "ImportedVotes", "export_votes", "import_votes"]
