"""Files written whole or not at all, on disk or behind an address (`s3://`, `memory://`, ...) through fsspec.

Credentials are whatever the backend finds in the environment; none is taken from an address, stored or logged.
"""

import gzip
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from workbench.errors import BadInputError


def shown(target: str | Path) -> str:
    """The target for people: what follows an address's question mark may be a signature, and is left out."""
    text = str(target)
    return text.partition("?")[0] if "://" in text else text


@contextmanager
def written_whole(target: str | Path) -> Iterator[IO[bytes]]:
    """A file to write to, that takes the target's place (and that of what was there) once all went well.

    Raises BadInputError where it cannot be written; then what was there stays.
    """
    if isinstance(target, str) and "://" in target:
        with _far(target) as file:
            yield file
        return
    with _near(Path(target)) as file:
        yield file


@contextmanager
def packed_by_name(file: IO[bytes], target: str | Path) -> Iterator[IO[bytes]]:
    """Compresses what is written where the target's name ends in `.gz` or `.zst`."""
    name = str(target).lower()
    if name.endswith(".gz"):
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
            yield packed  # type: ignore[misc]  # it writes bytes as any binary file does
    elif name.endswith((".zst", ".zstd")):
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as packed_zst:
            yield packed_zst
    else:
        yield file


@contextmanager
def _near(path: Path) -> Iterator[IO[bytes]]:
    if path.is_dir():
        raise BadInputError(f"{path} is a folder; expected the name of a file to write")
    if not path.parent.is_dir():
        raise BadInputError(f"{path} cannot be written: the folder {path.parent} does not exist")
    part = path.with_name(_part_name(path.name))
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise BadInputError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def _far(address: str) -> Iterator[IO[bytes]]:
    named = shown(address)
    system, path = _system(address, named)
    if _is_local(system):
        with _near(Path(path)) as file:
            yield file
        return
    folder, _, name = path.rpartition("/")
    part = f"{folder}/{_part_name(name)}" if folder else _part_name(name)
    try:
        try:
            file = system.open(part, "wb")
        except Exception as error:  # a backend may raise anything: not allowed, not there, no connection
            raise BadInputError(f"{named} cannot be written: {type(error).__name__}: {error}") from error
        try:
            with file:
                yield file
            system.mv(part, path)
        except OSError as error:
            raise BadInputError(f"{named} cannot be written: {error}") from error
    except BaseException:
        with suppress(Exception):  # it may not have come into being
            system.rm(part)
        raise


def _system(address: str, named: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise BadInputError("addresses need fsspec: pip install fsspec") from None
    if urlsplit(address).password:
        raise BadInputError("the address holds a password; give credentials by the environment instead")
    try:
        system, path = url_to_fs(address)
    except ImportError as error:
        raise BadInputError(f"{named}: {error}") from None
    except Exception as error:
        raise BadInputError(f"{named} is no address that can be written: {error}") from error
    if str(path).endswith("/") or not str(path).strip("/"):
        raise BadInputError(f"{named} names no file; expected one to write")
    return system, str(path)


def _is_local(system: Any) -> bool:
    protocol = system.protocol
    return "file" in ((protocol,) if isinstance(protocol, str) else protocol)


def _part_name(name: str) -> str:
    return f".{name}.{uuid.uuid4().hex}.part"
