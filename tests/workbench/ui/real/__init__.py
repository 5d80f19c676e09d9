"""Real trajectories of the public data in the browser: what is shown equals the store."""
