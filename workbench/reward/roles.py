"""Which graders training may see. An independent judge is one that no reward was ever made of.

A policy learns what its grader overlooks, so the last word belongs to a judge that took no part (Genspark and Baseten,
2026-11-10: harness grader, independent judge, people). A judge is the same eyes again if it reads the same rubric by
the same model, whatever else of it was changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import GraderRole
from workbench.store import Store

_EMPTY: JsonObject = {}


@dataclass(frozen=True, slots=True)
class Known:
    """A version of a grader and what was registered of it."""

    name: str
    version: str
    definition: JsonObject


def check_trainable(store: Store, grader: Known) -> None:
    """Raises BadInputError where `grader` is an independent judge, holds one, or reads the same rubric by its model."""
    for other in _with_role(store, "independent"):
        if (how := _same_eyes(grader, other)) is not None:
            raise BadInputError(
                f"grader {_called(grader)} {how}, an independent judge that training must not see; choose another "
                "quality grader, or another judge for the last word"
            )


def mark_trained(store: Store, grader: Known) -> None:
    """Training saw this version: it can be no independent judge any more. Raises where it is one."""
    check_trainable(store, grader)
    if grader.version:
        store.grades.set_role(grader.name, grader.version, "training")


def make_independent(store: Store, grader: Known) -> None:
    """Gives the version the role `independent`. Raises BadInputError where training has seen it or the same eyes."""
    exported = [
        known(store, str(found["name"]), str(found.get("version") or ""))
        for row in store.rewards.exports()
        if isinstance(found := row.manifest.get("grader"), Mapping) and found.get("name")
    ]
    for other in (*_with_role(store, "training"), *exported):
        if (how := _same_eyes(grader, other)) is not None:
            raise BadInputError(
                f"grader {_called(grader)} cannot be independent: it {how}, whose scores went into training; take "
                "another rubric or another model"
            )
    store.grades.set_role(grader.name, grader.version, "independent")


def role_of(store: Store, version: str) -> GraderRole | None:
    """The role of a version, None if it was given none."""
    return store.grades.roles().get(version)


def known(store: Store, name: str, version: str) -> Known:
    """A version with what the store has registered of it."""
    return Known(name, version, _definition(store, version))


def _same_eyes(one: Known, other: Known) -> str | None:
    """How the two are the same judge, in words, None where they are not."""
    if one.version == other.version or (one.name == other.name and not (one.version and other.version)):
        return f"is {_called(other)}"
    if other.version and other.version in _members(one.definition):
        return f"holds {_called(other)}"
    if one.version and one.version in _members(other.definition):
        return f"is a member of {_called(other)}"
    mine, theirs = list(_readings(one.definition)), list(_readings(other.definition))
    if any(_alike(a, b) for a in mine for b in theirs):
        return f"reads the same rubric by the same model as {_called(other)}"
    return None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A rubric, by name and by what it asks, and the model that reads it, free of its provider and server."""

    rubric: str
    asked: str
    model: str


def _alike(one: _Reading, other: _Reading) -> bool:
    return one.model == other.model and (one.rubric == other.rubric or one.asked == other.asked)


def _readings(definition: Mapping[str, Any]) -> Iterator[_Reading]:
    rubric, model = definition.get("rubric"), definition.get("model")
    if isinstance(rubric, Mapping) and isinstance(model, str):
        texts = sorted(str(c.get("text")) for c in rubric.get("criteria", ()) if isinstance(c, Mapping))
        yield _Reading(str(rubric.get("name")), "\n".join(texts), model.rpartition("/")[2].casefold())
    for part in _parts(definition):
        yield from _readings(part)


def _members(definition: Mapping[str, Any]) -> set[str]:
    """Versions of every grader within: of an ensemble, of a mean of runs."""
    found = {str(version) for part in _listed(definition) if (version := part.get("version"))}
    for part in _parts(definition):
        found |= _members(part)
    if "mean_of" in definition and definition.get("version"):
        found.add(str(definition["version"]))
    return found


def _listed(definition: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    members = definition.get("members")
    return [m for m in members if isinstance(m, Mapping)] if isinstance(members, list) else []


def _parts(definition: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    held = [part.get("definition") for part in (*_listed(definition), definition)]
    return [part for part in held if isinstance(part, Mapping)]


def _with_role(store: Store, role: GraderRole) -> list[Known]:
    versions = [version for version, given in store.grades.roles().items() if given == role]
    names = {summary.version: summary.name for summary in store.grades.graders()} if versions else {}
    return [Known(names.get(version, ""), version, _definition(store, version)) for version in sorted(versions)]


def _definition(store: Store, version: str) -> JsonObject:
    return store.grades.definition(version) or _EMPTY


def _called(grader: Known) -> str:
    return f"{grader.name}@{grader.version[:8]}" if grader.version else grader.name
