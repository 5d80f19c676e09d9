"""The grader that a job folder carries: a deterministic function with its sheets, or a rubric for a judge."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubrics.judging.rubric import Rubric, rubric_from_json, rubric_to_json
from rubrics.judging.wording import PROMPT_VERSION
from workbench.errors import BadInputError
from workbench.reward.core.quality import DETERMINISTIC, NEEDS_SHEET
from workbench.schema.canonical import JsonObject
from workbench.store import Store
from workbench.store.rows import GraderSummary

# How a judge is asked decides its scores as the rubric does: the options of `plan_requests`, and of each request.
PLAN_KEYS = ("budget_tokens", "evidence_tokens", "batch_size", "max_reply_chars")
REQUEST_KEYS = ("temperature", "seed", "max_tokens")


@dataclass(frozen=True, slots=True)
class CarriedGrader:
    """`config` is grader.json; `rubric` is None for a deterministic grader; `sheets` by question id."""

    name: str
    version: str
    config: Mapping[str, Any]
    rubric: Rubric | None
    sheets: Mapping[str, JsonObject]

    @property
    def word(self) -> str:
        """The word that means this version and no other, where grades are looked up."""
        return f"{self.name}@{self.version}" if self.version else self.name


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
    definition: Mapping[str, Any] = (store.grades.definition(version) if version else None) or {}
    if definition.get("kind") == "ensemble":
        raise BadInputError(
            f"grader {name} is an ensemble: it asks several judges and the environment of a job names one; "
            "export the member that agrees best with your reference"
        )
    if summary is None or not isinstance(definition.get("rubric"), Mapping):
        raise BadInputError(
            f"grader {name} is {'unknown' if summary is None else f'of kind {summary.kind!r}'} and no rubric is stored "
            f"with it; a job folder can carry {', '.join(DETERMINISTIC)}, and the rubric of a judge that graded here"
        )
    if definition.get("prompt_version", PROMPT_VERSION) != PROMPT_VERSION:
        raise BadInputError(
            f"grader {summary.name}@{version[:8]} was asked in the wording {definition['prompt_version']} and this "
            f"version of the workbench words prompts as {PROMPT_VERSION}: the job would ask otherwise than it was "
            "graded; grade again and export that"
        )
    rubric = rubric_from_json(definition["rubric"])
    if rubric.score_map == "reference_share":
        raise BadInputError(
            f"grader {name} scores a report beside a reference and a rollout in a trainer has none: every one would be "
            "dropped; grade with a rubric of score_map affine, or choose another grader"
        )
    config = {
        "kind": "rubric",
        "name": summary.name,
        "version": version,
        "rubric": rubric_file(rubric),
        "plan": {key: definition[key] for key in PLAN_KEYS if definition.get(key) is not None},
        "request": {key: definition[key] for key in REQUEST_KEYS if definition.get(key) is not None},
        "graded_here_by": definition.get("model"),
    }
    return CarriedGrader(summary.name, version, config, rubric, {})


def rubric_file(rubric: Rubric) -> str:
    """Where the rubric lies in the folder."""
    return f"rubrics/{re.sub('[^A-Za-z0-9._-]+', '-', rubric.name)}.json"


def rubric_files(grader: CarriedGrader) -> dict[str, JsonObject]:
    """Files of the folder's `rubrics/`, none for a deterministic grader."""
    return {} if grader.rubric is None else {rubric_file(grader.rubric): rubric_to_json(grader.rubric)}
