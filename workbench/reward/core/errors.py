"""The error of a reward specification, a sentence per problem."""

from collections.abc import Sequence

from workbench.errors import BadInputError


class SpecError(BadInputError):
    """A reward specification cannot be taken. `problems` holds one sentence each: found, expected, what to do."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems = tuple(problems)
        head = f"{source}: " if len(self.problems) == 1 else f"{source}: {len(self.problems)} problems: "
        super().__init__(head + "; ".join(self.problems))
