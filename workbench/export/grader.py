"""The grader that a job folder carries: a deterministic function with its sheets, or a rubric for a judge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubrics.judging.rubric import Rubric, rubric_from_json, rubric_to_json
from workbench.errors import BadInputError
from workbench.reward.core.quality import DETERMINISTIC, NEEDS_SHEET
from workbench.schema.canonical import JsonObject, content_hash
from workbench.store import Store
from workbench.store.rows import GraderSummary

# How a judge is asked decides its scores as the rubric does; these are the names that `plan_requests` takes.
PLAN_KEYS = ("budget_tokens", "batch_size", "max_reply_chars")


@dataclass(frozen=True, slots=True)
class CarriedGrader:
    """`config` is grader.json; `rubric` is None for a deterministic grader; `sheets` by question id."""

    name: str
    version: str
    config: Mapping[str, Any]
    rubric: Rubric | None
    sheets: Mapping[str, JsonObject]

    @property
    def rubric_file(self) -> str:
        return f"rubrics/{self.rubric.name}.json" if self.rubric is not None else ""

    @property
    def config_hash(self) -> str:
        return content_hash(dict(self.config))


def carried_grader(store: Store, word: str, summary: GraderSummary | None) -> CarriedGrader:
    """The grader that a specification names, in the form a folder can carry.

    `summary` is its version with grades in the store, None where it gave none (possible for a deterministic grader
    only). Raises BadInputError for a grader that cannot run in a trainer: gold, learned, a callable of the user's.
    """
    name = word.partition("@")[0]
    version = summary.version if summary is not None else ""
    if name in DETERMINISTIC:
        sheets = store.sheets.all(name) if name in NEEDS_SHEET else {}
        if name in NEEDS_SHEET and not sheets:
            raise BadInputError(
                f"grader {name} reads question sheets and the store holds none under {name!r}: without them every "
                "rollout would be dropped; store sheets first, or choose another grader"
            )
        config: dict[str, Any] = {"kind": "deterministic", "name": name, "version": version, "function": name}
        return CarriedGrader(name, version, config, None, sheets)
    if summary is None or summary.kind != "llm":
        kind = "one that gave no grade" if summary is None else f"of kind {summary.kind!r}"
        raise BadInputError(
            f"grader {name} is {kind}; a job folder can carry {', '.join(DETERMINISTIC)}, "
            "and a rubric with an LLM judge that has graded in this store"
        )
    definition: Mapping[str, Any] = store.grades.definition(summary.version) or {}
    if not isinstance(definition.get("rubric"), Mapping):
        raise BadInputError(
            f"grader {name}@{version[:8]} was registered without its rubric; grade a run with it again, then export"
        )
    rubric = rubric_from_json(definition["rubric"])
    plan = {key: definition[key] for key in PLAN_KEYS if definition.get(key) is not None}
    config = {
        "kind": "llm",
        "name": name,
        "version": version,
        "rubric": f"rubrics/{rubric.name}.json",
        "plan": plan,
        "judge_model_when_graded": definition.get("model"),
    }
    return CarriedGrader(name, version, config, rubric, {})


def rubric_files(grader: CarriedGrader) -> dict[str, JsonObject]:
    """Files of the folder's `rubrics/`, none for a deterministic grader."""
    return {} if grader.rubric is None else {grader.rubric_file: rubric_to_json(grader.rubric)}
