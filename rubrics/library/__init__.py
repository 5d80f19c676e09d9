"""Rubrics of our own, ready to grade with."""

from functools import lru_cache
from pathlib import Path

from rubrics.judging.rubric import Rubric
from rubrics.schema import load_rubric
from workbench.errors import NotFoundError

FOLDER = Path(__file__).resolve().parent


def library_names() -> tuple[str, ...]:
    """Names of the rubrics that come with the workbench, which are their file names."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@lru_cache(maxsize=64)
def load_library(name: str) -> Rubric:
    """The library's rubric of this name. Raises NotFoundError."""
    if name not in library_names():
        raise NotFoundError(f"the library has no rubric {name!r}; it has {', '.join(library_names())}")
    return load_rubric(FOLDER / f"{name}.yaml")
