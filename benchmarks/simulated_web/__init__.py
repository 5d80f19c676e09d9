"""A web with known truth: a seeded graph of facts, pages that tell it more or less well, tools, questions and gold."""
