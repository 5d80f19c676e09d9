"""The study of the citation check without a model: on the simulated web, where truth is known, and on labels."""
