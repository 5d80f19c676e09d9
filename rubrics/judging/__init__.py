"""Judging as functions of a request and a reply. Standard library only: an exported training job runs the same code."""
