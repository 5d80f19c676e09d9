"""Training on the exported reward."""
