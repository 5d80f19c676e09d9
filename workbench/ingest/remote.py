"""Files behind an address (`s3://`, `gs://`, `hf://`, `memory://`, ...), through fsspec.

Credentials are whatever the backend finds in the environment; none is taken from an address, stored or logged.
"""

from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from workbench.errors import BadInputError


def is_remote(path: str | Path) -> bool:
    """Whether this is an address rather than a path. `Path` objects are paths: they fold the slashes of an address."""
    return isinstance(path, str) and "://" in path


def expand(url: str) -> list[tuple[str, int]]:
    """(address, size in bytes) of the files that an address names: a file, a folder with all below, or a pattern.

    In order of name; empty where there is none. Raises BadInputError where the backend is missing or fails.
    """
    system, path = _system(url)
    try:
        if any(sign in path for sign in "*?["):
            found = system.glob(path, detail=True)
        elif system.isdir(path):
            found = system.find(path, detail=True)
        elif system.isfile(path):
            found = {path: system.info(path)}
        else:
            return []
    except Exception as error:
        raise BadInputError(f"{_shown(url)} cannot be read: {type(error).__name__}: {error}") from error
    files = [(name, info) for name, info in sorted(found.items()) if info.get("type") == "file"]
    return [(str(system.unstrip_protocol(name)), int(info.get("size") or 0)) for name, info in files]


def open_remote(url: str) -> IO[bytes]:
    """Seekable. Raises BadInputError with the reason."""
    system, path = _system(url)
    try:
        file: IO[bytes] = system.open(path, "rb")
        return file
    except Exception as error:
        raise BadInputError(f"it cannot be opened: {type(error).__name__}: {error}") from error


def _system(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise BadInputError("addresses need fsspec: pip install fsspec") from None
    if urlsplit(url).password:
        raise BadInputError("the address holds a password; give credentials by the environment instead")
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise BadInputError(f"{_shown(url)}: {error}") from None
    except Exception as error:
        raise BadInputError(f"{_shown(url)} is no address that can be read: {error}") from error
    return system, str(path)


def _shown(url: str) -> str:
    return url.partition("?")[0]  # what follows may be a signature
