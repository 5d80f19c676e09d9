"""The study of the citation check without a model: on the simulated web, whose truth is known, and on labelled pairs."""
