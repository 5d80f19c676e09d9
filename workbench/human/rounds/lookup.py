"""A round by what its owner calls it."""

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.ballot import Round
from workbench.store import Store


def find_round(store: Store, wanted: str) -> Round:
    """By id, or by name where only one round has it. NotFoundError, or BadInputError where several do."""
    rounds = store.human.rounds()
    for one in rounds:
        if one.id == wanted:
            return one
    named = [one for one in rounds if one.name == wanted]
    if len(named) > 1:
        raise BadInputError(
            f"{len(named)} rounds are called {wanted!r}; name one by id: {', '.join(r.id for r in named)}"
        )
    if not named:
        known = ", ".join(f"{one.id} ({one.name})" for one in rounds[:5])
        more = f" and {len(rounds) - 5} more" if len(rounds) > 5 else ""
        raise NotFoundError(f"no round {wanted!r}; rounds are {known or '(none)'}{more}")
    return named[0]
