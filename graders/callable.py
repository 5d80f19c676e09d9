"""Graders of the user's own: `path/file.py:Object`."""

import asyncio
import hashlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from graders.redact import redact
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GraderKind, GradingCase
from workbench.schema.protocols import Grader, PairwiseGrader

AnyGrader: TypeAlias = Grader | PairwiseGrader


class CallableGrader:
    """A plain function `case -> float in [0, 1] | None`, sync or async, as a Grader.

    None is an abstention; an exception, a value outside the range or one that is no number is a judge failure. A sync
    function runs in a thread. The version is a hash of the file's text and the object's name.
    """

    kind: GraderKind = "callable"

    def __init__(self, function: Callable[[GradingCase], Any], *, name: str, definition: dict[str, JsonValue]) -> None:
        self._function = function
        self.name = name
        self.definition = definition
        self.version = content_hash(definition)

    async def grade(self, case: GradingCase) -> Grade:
        try:
            if inspect.iscoroutinefunction(self._function) or inspect.iscoroutinefunction(
                getattr(self._function, "__call__", None)  # noqa: B004
            ):
                value = await self._function(case)
            else:
                value = await asyncio.to_thread(self._function, case)
                if inspect.isawaitable(value):
                    value = await value
        except Exception as error:
            return self._failed(case, f"{type(error).__name__}: {redact(str(error))[:500]}")
        if value is None:
            return Grade(self.name, self.version, case.case_hash, "abstained", reason="the function gave None")
        number = as_number(value)
        if number is None or not 0.0 <= number <= 1.0:
            return self._failed(case, f"the function gave {value!r:.80}; expected a number in [0, 1] or None")
        return Grade(self.name, self.version, case.case_hash, "scored", number, number, "callable")

    def _failed(self, case: GradingCase, reason: str) -> Grade:
        return Grade(self.name, self.version, case.case_hash, "judge_failed", reason=reason)


def as_number(value: object) -> float | None:
    """The value as a finite float (a bool counts as 0 or 1, numpy and torch scalars too), None if it is no number."""
    if isinstance(value, str | bytes):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def load_callable(spec: str) -> AnyGrader:
    """The object that `path/file.py:Object` names: a Grader or PairwiseGrader (instance, or class that needs no
    argument), or a plain function. Runs the file. Raises BadInputError with what is wrong with it."""
    found, definition = load_object(spec, "grader")
    if isinstance(found, Grader | PairwiseGrader):
        return found
    if not callable(found):
        raise BadInputError(
            f"grader {spec!r}: {definition['object']} is a {type(found).__name__}; expected a Grader (name, version, "
            "kind, async grade), a PairwiseGrader, or a function case -> float in [0, 1] or None"
        )
    return CallableGrader(found, name=str(definition["object"]), definition=definition)


def load_object(spec: str, what: str) -> tuple[Any, dict[str, JsonValue]]:
    """The object that `path/file.py:Object` names (of a class an instance), and file, object and hash as a definition.

    `what` is the word for it in errors. Raises BadInputError.
    """
    path_text, _, object_name = spec.rpartition(":")
    path = Path(path_text).expanduser().resolve()
    if not path.is_file():
        raise BadInputError(f"{what} {spec!r}: there is no file {path}; expected path/file.py:Object")
    source = path.read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    module = _run(path, digest)
    found = getattr(module, object_name, None)
    if found is None:
        public = [name for name in vars(module) if not name.startswith("_") and callable(getattr(module, name))]
        raise BadInputError(
            f"{what} {spec!r}: {path.name} has no {object_name!r}; it has {', '.join(public) or 'nothing'}"
        )
    if inspect.isclass(found):
        try:
            found = found()
        except Exception as error:
            raise BadInputError(f"{what} {spec!r}: {object_name}() failed: {type(error).__name__}: {error}") from error
    return found, {"file": path.name, "object": object_name, "sha256": digest}


def _run(path: Path, digest: str) -> Any:
    """The file as a module of its own name, so that two files of one name do not collide. It may import its folder."""
    name = f"workbench_user_grader_{digest[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInputError(f"{path} cannot be read as Python; expected a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BadInputError(f"{path} failed while it was read: {type(error).__name__}: {error}") from error
    return module
