"""The command line: one module a verb, each with `register(app)`."""
