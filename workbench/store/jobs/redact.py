"""Keys of paid models never reach a job's arguments or its log."""

import os
from collections.abc import Sequence

from workbench.errors import BadInputError
from workbench.settings import MODEL_KEY_NAMES

# A shorter value would be found inside ordinary words; no provider gives a key as short.
_SHORTEST = 8


def _keys() -> dict[str, str]:
    values = ((name, os.environ.get(name, "").strip()) for name in MODEL_KEY_NAMES)
    return {name: value for name, value in values if len(value) >= _SHORTEST}


def refuse_secrets(arguments: Sequence[str]) -> None:
    """Raises BadInputError, naming the key and not its value, where an argument holds one."""
    for name, value in _keys().items():
        if any(value in argument for argument in arguments):
            raise BadInputError(
                f"an argument of the job holds the value of {name}; arguments are stored and shown. "
                f"Leave it out: the job reads {name} from its environment"
            )


def without_secrets(text: str) -> str:
    """The text with each key's value replaced by its name."""
    for name, value in _keys().items():
        text = text.replace(value, f"[{name}]")
    return text
