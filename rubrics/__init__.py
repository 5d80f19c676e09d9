"""Rubrics: what is judged, how a reply is read, and how verdicts become a score."""
