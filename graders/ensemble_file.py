"""Ensembles as files: YAML or JSON of `kind: ensemble`, its JSON Schema, and a sentence for what is wrong with one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graders.ensemble import Combine, Ensemble, Rule
from rubrics.schema import error_sentences, read_mapping
from workbench.errors import BadInputError
from workbench.schema.protocols import Grader

SUFFIXES = (".yaml", ".yml", ".json")
_DEEPEST = 4


class MemberFile(BaseModel):
    """One grader of the ensemble."""

    model_config = ConfigDict(extra="forbid")

    grader: str = Field(min_length=1, description="What --grader takes; a path is relative to this file.")
    model: str | None = Field(None, description="Model that reads a rubric, as litellm names it, or `local`.")
    base_url: str | None = Field(None, description="OpenAI-compatible endpoint that serves the model.")


class EnsembleFile(BaseModel):
    """Several graders, and the rule that makes one score of theirs."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["ensemble"]
    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="The grader's name, before its models'.")
    description: str = Field("", description="What it is for.")
    combine: Combine = Field(
        "mean", description="mean; worst: the least of them; mean_minus_variance: mean - coefficient x variance."
    )
    coefficient: float | None = Field(
        None, ge=0, description="Weight of the members' variance; needed by mean_minus_variance and by nothing else."
    )
    min_members: int | None = Field(None, ge=1, description="So many must have scored. Left out: all of them.")
    members: list[MemberFile] = Field(min_length=2)


Load = Callable[[str, str | None, str | None], Grader]


def ensemble_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of an ensemble file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **EnsembleFile.model_json_schema()}


def is_ensemble(path: Path) -> bool:
    """True for a readable file that calls itself an ensemble; what else is wrong with a file is its reader's matter."""
    try:
        return read_mapping(path, what="grader file").get("kind") == "ensemble"
    except BadInputError:
        return False


def load_ensemble(path: Path, load: Load, *, above: tuple[Path, ...] = ()) -> Ensemble:
    """The ensemble of a file. `load(spec, model, base_url)` gives a member; `above` are the files that hold this one.

    Raises BadInputError, naming the file and the member, for every fault.
    """
    here = path.resolve()
    if here in above:
        raise BadInputError(f"ensemble {path} stands in itself")
    if len(above) >= _DEEPEST:
        raise BadInputError(f"ensemble {path} stands {len(above)} ensembles deep; expected at most {_DEEPEST}")
    raw = read_mapping(path, what="ensemble")
    try:
        read = EnsembleFile.model_validate(raw)
    except ValidationError as error:
        raise BadInputError(f"ensemble {path}: {error_sentences(error)}") from None
    weighed = read.combine == "mean_minus_variance"
    if weighed != (read.coefficient is not None):
        raise BadInputError(
            f"ensemble {path}: coefficient is {read.coefficient} and combine {read.combine}; mean_minus_variance needs "
            "one (the published studies weigh the variance by 0.1 to 1), and nothing else reads it"
        )
    members = [_member(path, place, member, load, (*above, here)) for place, member in enumerate(read.members)]
    rule = Rule(read.combine, 1.0 if read.coefficient is None else read.coefficient, read.min_members)
    return Ensemble(read.name, members, rule)


def _member(path: Path, place: int, member: MemberFile, load: Load, above: tuple[Path, ...]) -> Grader:
    spec = _beside(path, member.grader)
    try:
        if Path(spec).suffix in SUFFIXES and is_ensemble(Path(spec)):
            return load_ensemble(Path(spec), load, above=above)
        return load(spec, member.model, member.base_url)
    except BadInputError as error:
        raise BadInputError(f"ensemble {path}, member {place} ({member.grader}): {error}") from error


def _beside(path: Path, spec: str) -> str:
    """A path in the file is relative to the file; names of graders stay as they are."""
    is_path = Path(spec).suffix in SUFFIXES or ".py:" in spec
    scheme, colon, rest = spec.partition(":") if spec.startswith("inspect:") else ("", "", spec)
    if not is_path or Path(rest).is_absolute():
        return spec
    return f"{scheme}{colon}{path.parent / rest}"
