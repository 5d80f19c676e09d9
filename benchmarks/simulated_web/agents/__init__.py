"""Scripted agents with known strengths and failings. They read what pages say and never look at the truth."""

from benchmarks.simulated_web.agents.scripted import AGENTS, SAMPLE, agent_named, run_agent

__all__ = ["AGENTS", "SAMPLE", "agent_named", "run_agent"]
