"""Real public data laid beside the checkout. Tests that need it skip, with a reason, where it is absent."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def shared(relative: str) -> Path:
    """Path of a file of the public data; skips the test where it is absent."""
    path = SHARED_DATA / relative
    if not path.exists():
        pytest.skip(f"public data is not laid beside this checkout: {relative}")
    return path
