"""Benchmarks and the simulated web, a world with known truth."""
