"""Tests of rubrics and of judging."""
