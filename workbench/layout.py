"""This is an application of five top-level packages; a rival distribution may bring one of the same name.

`check_layout` runs before anything else and refuses to mix two checkouts in one process.
"""

import importlib.util
from pathlib import Path

from workbench.errors import LayoutError

PACKAGES: tuple[str, ...] = ("workbench", "graders", "rubrics", "benchmarks", "training")


def package_folder(name: str) -> Path | None:
    """Where Python would import `name` from, without importing it; None if nowhere."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return None
    if spec.origin is not None:
        return Path(spec.origin).resolve().parent
    locations = list(spec.submodule_search_locations or ())
    return Path(locations[0]).resolve() if locations else None


def check_layout(checkout: Path | None = None) -> None:
    """Raises LayoutError, naming both paths, where a package would come from outside `checkout` (default: this one)."""
    home = (checkout or Path(__file__).resolve().parent.parent).resolve()
    for name in PACKAGES:
        found, expected = package_folder(name), home / name
        if found is None:
            raise LayoutError(
                f"package {name!r} cannot be found; expected it at {expected}. "
                f"Install this checkout into its own environment: pip install -e {home}"
            )
        if found != expected:
            raise LayoutError(
                f"package {name!r} would be imported from {found}; expected {expected}. A rival shadows it: "
                f"run the workbench from its own environment (make demo makes one at {home / '.venv'})"
            )
