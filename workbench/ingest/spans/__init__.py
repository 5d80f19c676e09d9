"""Spans and messages of agent frameworks: what several formats read in the same way."""
