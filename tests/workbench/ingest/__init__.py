"""Tests of workbench.ingest."""
