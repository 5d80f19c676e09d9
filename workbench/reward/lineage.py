"""Where a reward came from and what it led to: round -> criteria -> reward -> runs trained on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubrics.origins import origins
from workbench.schema.canonical import JsonValue
from workbench.store import Store


@dataclass(frozen=True, slots=True)
class CriteriaFrom:
    """Criteria of a grader's rubric that say which round they came from."""

    grader: str
    round_id: str
    criteria: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpecLine:
    """A saved reward, the round it came from, and the runs trained on it."""

    name: str
    version: str
    round_id: str | None
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lineage:
    criteria: tuple[CriteriaFrom, ...]
    specs: tuple[SpecLine, ...]

    def lines(self) -> list[str]:
        """One sentence for each step that is known."""
        said = []
        for origin in self.criteria:
            said.append(f"criteria {', '.join(origin.criteria)} of {origin.grader} came from round {origin.round_id}")
        for one in self.specs:
            if one.round_id:
                said.append(f"made of round {one.round_id}")
            if one.runs:
                said.append(f"runs trained on it: {', '.join(one.runs)}")
        return said

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "criteria": [
                {"grader": one.grader, "round": one.round_id, "criteria": list(one.criteria)} for one in self.criteria
            ],
            "specs": [
                {"name": one.name, "version": one.version, "round": one.round_id, "runs": list(one.runs)}
                for one in self.specs
            ],
        }


def lineage_of(store: Store, *, round_id: str | None = None, spec_version: str | None = None) -> Lineage:
    """Of a round: the criteria taken from it, the rewards that name it or whose G has such a criterion, their runs.

    Of a reward: its round, the criteria of its G that came from rounds, its runs.
    """
    graders = {one.name: one.version for one in reversed(store.grades.graders())}
    taken = [
        CriteriaFrom(name, found, criteria)
        for name, version in sorted(graders.items())
        for found, criteria in _origins(store.grades.definition(version) or {}).items()
    ]
    runs: dict[str, list[str]] = {}
    for row in store.training.runs():
        runs.setdefault(row.spec_version, []).append(row.run)
    specs = []
    for spec in store.rewards.specs():
        grader = _grader_of(store, spec.version)
        of_spec = [one for one in taken if one.grader == grader]
        named = spec.round_id == round_id or any(one.round_id == round_id for one in of_spec)
        if spec.version == spec_version or (round_id is not None and named):
            specs.append(SpecLine(spec.name, spec.version, spec.round_id, tuple(runs.get(spec.version, ()))))
    if round_id is not None:
        return Lineage(tuple(one for one in taken if one.round_id == round_id), tuple(specs))
    of_reward = _grader_of(store, spec_version) if specs and spec_version else None
    return Lineage(tuple(one for one in taken if one.grader == of_reward), tuple(specs))


def _origins(definition: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    rubric = definition.get("rubric", definition)
    said = rubric.get("description", "") if isinstance(rubric, Mapping) else ""
    return origins(str(said))


def _grader_of(store: Store, version: str) -> str:
    quality: Any = store.rewards.spec(version).get("quality")
    return str(quality.get("grader", "")) if isinstance(quality, Mapping) else ""
