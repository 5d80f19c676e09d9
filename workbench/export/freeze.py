"""Copies the reward's code into a job folder: byte for byte but for the name of the package it stands in.

Starting from the runtime's modules, imports are followed; what they reach must lie in the packages that decision 0003
names and need only the standard library, or the export is refused.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from workbench.errors import BadInputError

CHECKOUT = Path(__file__).resolve().parents[2]
ROOTS = ("workbench.export.runtime.job", "workbench.export.runtime.batch", "workbench.export.runtime.golden")
# The packages of decision 0003, and the errors and the runtime that they stand on.
ALLOWED = (
    "workbench.schema",
    "workbench.ingest.tool_kinds",
    "workbench.ingest.messages",
    "workbench.ingest.tagged",
    "workbench.ingest.tag_dialects",
    "workbench.ingest.written_reports",
    "workbench.phases",
    "workbench.evidence",
    "workbench.reward.core",
    "workbench.errors",
    "workbench.export.runtime",
    "rubrics.judging",
)
OURS = ("workbench", "rubrics", "graders", "benchmarks", "training")
PLACEHOLDER = b'"""Part of the reward frozen by an export of the reward workbench: see manifest.json."""\n'
NOT_DATA = frozenset({".py", ".pyc", ".pyi", ".typed"})


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen package: its name `reward_<hash8>`, the hash of what it was made of, and its files by path."""

    package: str
    code_hash: str
    files: Mapping[str, bytes]


def freeze(checkout: Path = CHECKOUT) -> Frozen:
    """The reward's code under a name of its own. Raises BadInputError where a module reaches beyond what is allowed."""
    sources = _closure(checkout)
    code_hash = hash_files(sources)
    package = f"reward_{code_hash[:8]}"
    files = {
        f"{package}/{path}": rename(source, package) if path.endswith(".py") else source
        for path, source in sources.items()
    }
    assert_self_contained(files, package)
    return Frozen(package, code_hash, dict(sorted(files.items())))


def hash_files(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, in order of name."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path}\n{len(files[path])}\n".encode() + files[path])
    return digest.hexdigest()


def rename(source: bytes, package: str) -> bytes:
    """The module with every import of ours made one of `package`; not a byte besides is changed."""
    lines = source.decode("utf-8").splitlines(keepends=True)
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            before = f"from {node.module} import"
            after = f"from {package}.{_inside(node.module)} import"
            lines[node.lineno - 1] = lines[node.lineno - 1].replace(before, after, 1)
    return "".join(lines).encode("utf-8")


def assert_self_contained(files: Mapping[str, bytes], package: str) -> None:
    """Raises BadInputError unless every import of every module is of the standard library or of `package` itself."""
    for path, source in files.items():
        if not path.endswith(".py"):
            continue
        for module in _imports(source, path):
            root = module.partition(".")[0]
            if root == package:
                inside = "/".join(module.split("."))
                if f"{inside}.py" not in files and f"{inside}/__init__.py" not in files:
                    raise BadInputError(f"{path} imports {module}, which the frozen package does not hold")
            elif root not in sys.stdlib_module_names:
                raise BadInputError(f"{path} imports {module}; expected only the standard library and {package}")


def _closure(checkout: Path) -> dict[str, bytes]:
    """Path inside the frozen package -> source, for all that the roots reach, with the data files beside them."""
    found: dict[str, bytes] = {"__init__.py": PLACEHOLDER}
    waiting = list(ROOTS)
    seen: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        file = _file_of(checkout, module)
        path = _inside(module).replace(".", "/")
        if not _is_allowed(module):
            found[f"{path}/__init__.py"] = PLACEHOLDER  # a package around allowed ones: its own code stays behind
            waiting.extend(_parents(module))
            continue
        source = file.read_bytes()
        if file.name == "__init__.py":
            found[f"{path}/__init__.py"] = source
            found.update({f"{path}/{data.name}": data.read_bytes() for data in _data_files(file.parent)})
        else:
            found[f"{path}.py"] = source
        waiting.extend(_reached(checkout, module, source, file))
    return found


def _reached(checkout: Path, module: str, source: bytes, file: Path) -> Iterator[str]:
    """Modules of ours that a module imports, and the packages that hold them."""
    for imported in _imports(source, str(file)):
        if not _is_ours(imported):
            continue
        if not _is_allowed(imported):
            raise BadInputError(
                f"{module} imports {imported}, which an exported job cannot carry; it may import {', '.join(ALLOWED)}"
            )
        yield imported
        yield from _names_that_are_modules(checkout, imported, source)
    yield from _parents(module)


def _names_that_are_modules(checkout: Path, package: str, source: bytes) -> Iterator[str]:
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            for alias in node.names:
                if (checkout / Path(*package.split(".")) / f"{alias.name}.py").exists():
                    yield f"{package}.{alias.name}"


def _parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    for end in range(len(parts) - 1, 1, -1):
        yield ".".join(parts[:end])
    if parts[0] != "workbench" and len(parts) > 1:
        yield parts[0]


def _imports(source: bytes, path: str) -> Iterator[str]:
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name):
                    raise BadInputError(f"{path} says `import {alias.name}`; write `from ... import ...` to be frozen")
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module is None:
                raise BadInputError(f"{path} has a relative import in line {node.lineno}; expected the full name")
            yield node.module


@lru_cache(maxsize=512)
def _tree(source: bytes) -> ast.Module:
    return ast.parse(source)


def _is_allowed(module: str) -> bool:
    return any(module == allowed or module.startswith(f"{allowed}.") for allowed in ALLOWED)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


def _inside(module: str) -> str:
    """Where a module stands in the frozen package: `workbench.schema.grade` as `schema.grade`, `rubrics` as it is."""
    return module.removeprefix("workbench.")


def _file_of(checkout: Path, module: str) -> Path:
    base = checkout / Path(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _data_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and file.suffix not in NOT_DATA)
