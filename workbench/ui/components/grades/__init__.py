"""Panels on one version of a grader: scores, criteria, rerun noise, disagreements, failures."""
