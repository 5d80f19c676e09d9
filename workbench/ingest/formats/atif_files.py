"""Which files of a folder are parts of one ATIF trajectory: continuations and sub-agents."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench.ingest.format import Folder, PartOfError

_CONTINUED = re.compile(r"\A(?P<base>.+?)[._-]cont[-_]?(?P<number>\d+)(?P<end>(?:\.json)?)\Z")
_MOST_NEIGHBOURS = 64
_MOST_PARTS = 100
Document = Mapping[str, Any]


def is_document(value: object) -> bool:
    """Whether this is one ATIF trajectory, embedded ones among them, which may have no version of their own."""
    if not isinstance(value, Mapping) or not isinstance(value.get("steps"), list):
        return False
    version = value.get("schema_version")
    return isinstance(version, str) and version.startswith("ATIF")


def expand(record: Document, folder: Folder) -> Iterator[Document]:
    """The record completed by its continuations and sub-agents. Raises PartOfError for one of those."""
    if not is_document(record):
        yield _wrapped(record)
        return
    if base := _continues(folder):
        raise PartOfError(f"continues {base}")
    neighbours = _Neighbours(folder)
    if parent := neighbours.parent_of(record):
        raise PartOfError(f"a sub-agent of {parent}")
    later = _continuations(record, folder)
    embedded = _embedded(record)
    present = {identity for child in embedded for identity in identities(child)}
    for part in (record, *later):
        for reference in references(part):
            if present.isdisjoint(_named(reference)) and (child := neighbours.find(reference)) is not None:
                embedded.append(child)
                present |= identities(child)
    if not later and len(embedded) == len(_embedded(record)):
        yield record
    else:
        yield {**record, "continuations": later, "subagent_trajectories": embedded}


def _wrapped(record: Document) -> Document:
    parent = record["parent"]
    others = [value for name, value in record.items() if name != "parent" and is_document(value)]
    return {**parent, "subagent_trajectories": [*_embedded(parent), *others]}


def _embedded(record: Document) -> list[Document]:
    found = record.get("subagent_trajectories")
    return [child for child in found if isinstance(child, Mapping)] if isinstance(found, list) else []


def references(document: Document) -> Iterator[Mapping[str, Any]]:
    """References to sub-agents in the results of a document's own steps, in order."""
    for step in document["steps"]:
        if isinstance(step, Mapping) and not step.get("is_copied_context"):
            yield from step_references(step)


def step_references(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, Mapping) else None
    for result in results if isinstance(results, list) else ():
        found = result.get("subagent_trajectory_ref") if isinstance(result, Mapping) else None
        for reference in found if isinstance(found, list) else [found]:
            if isinstance(reference, Mapping):
                yield reference


def identities(document: Document) -> set[str]:
    """What a reference may call a document. A trajectory's own id stands over the session's, which others share."""
    own = document.get("trajectory_id") or document.get("session_id")
    return {own} if isinstance(own, str) else set()


def _named(reference: Mapping[str, Any]) -> set[str]:
    own = reference.get("trajectory_id") or reference.get("session_id")
    return {own} if isinstance(own, str) else set()


def resolves(reference: Mapping[str, Any], document: Document) -> bool:
    return not _named(reference).isdisjoint(identities(document))


def _continues(folder: Folder) -> str:
    """The file that this one continues, empty where there is none that says it is continued."""
    found = _CONTINUED.match(folder.file)
    if found is None:
        return ""
    earlier = [f"{found['base']}{mark}{int(found['number']) - 1}.json" for mark in (".cont-", "_cont")]
    for name in (*earlier, f"{found['base']}.json"):
        document = folder.json(name)
        if isinstance(document, Mapping) and document.get("continued_trajectory_ref"):
            return name
    return ""


def _continuations(record: Document, folder: Folder) -> list[Document]:
    found: list[Document] = []
    stem = folder.file.removesuffix(".json")
    current = record
    while len(found) < _MOST_PARTS and isinstance(reference := current.get("continued_trajectory_ref"), str):
        number = len(found) + 1
        # Files that were renamed together still carry the number of the continuation.
        names = (f"{stem}.cont-{number}.json", f"{stem}_cont{number}.json", Path(reference).name)
        following = next((d for name in names if name != folder.file and is_document(d := folder.json(name))), None)
        if not isinstance(following, Mapping):
            break
        found.append(following)
        current = following
    return found


class _Neighbours:
    """The documents beside a file, those with the most similar names first, read only where they are needed."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, Document] | None = None

    def parent_of(self, record: Document) -> str:
        own = identities(record)
        for name, document in self._documents().items():
            for reference in references(document):
                path = reference.get("trajectory_path")
                by_name = isinstance(path, str) and Path(path).name == self._folder.file
                if by_name or (own and not _named(reference).isdisjoint(own) and identities(document) != own):
                    return name
        return ""

    def find(self, reference: Mapping[str, Any]) -> Document | None:
        path = reference.get("trajectory_path")
        documents = self._documents()
        if isinstance(path, str) and Path(path).name in documents:
            return documents[Path(path).name]
        return next((document for document in documents.values() if resolves(reference, document)), None)

    def _documents(self) -> dict[str, Document]:
        if self._read is None:
            own = self._folder.file
            names = [name for name in self._folder.names() if name.endswith(".json") and name != own]
            names.sort(key=lambda name: (-_shared_beginning(name, own), name))
            found = ((name, self._folder.json(name)) for name in names[:_MOST_NEIGHBOURS])
            self._read = {n: d for n, d in found if isinstance(d, Mapping) and is_document(d)}
        return self._read


def _shared_beginning(one: str, other: str) -> int:
    """Number of characters that both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
