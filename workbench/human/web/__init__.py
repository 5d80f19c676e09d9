"""The rater server: a process of its own that can serve a rater's own round and nothing else."""
