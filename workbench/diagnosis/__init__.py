"""Which phase holds an agent back: the same evidence written again, and research and writers swapped between runs."""
