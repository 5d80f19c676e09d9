"""How Chinese speaks of the things of the simulated web: names, sentences, filler. Data, no logic."""
