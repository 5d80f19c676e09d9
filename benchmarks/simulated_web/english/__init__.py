"""How English speaks of the things of the simulated web: names, sentences, sites, filler. Data, no logic."""
