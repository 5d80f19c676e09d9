"""Reward workbench: evaluation and reward engineering for deep-research agents."""

__version__ = "0.1.0"
