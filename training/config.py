"""What a training run is made of: frozen records, checked by pydantic where they come from a file or a command line."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

from annotated_types import Ge, Gt, Le, Len

from training.model import ModelShape
from workbench.errors import BadInputError
from workbench.schema.canonical import content_hash

TrainStage: TypeAlias = Literal["sft", "rl", "recipe"]
Estimator: TypeAlias = Literal["from_spec", "rloo"]
Positive: TypeAlias = Annotated[int, Ge(1)]
Rate: TypeAlias = Annotated[float, Gt(0.0), Le(1.0)]
Weight: TypeAlias = Annotated[float, Ge(0.0)]
NO_EXTRAS: Mapping[str, str] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class SftConfig:
    """The start that runs share: scripted research, and reports from exactly that evidence.

    `agents` answer the questions in turn; `seed` is the start's own, so that runs of several seeds begin alike.
    """

    __pydantic_config__: ClassVar[Mapping[str, str]] = NO_EXTRAS
    steps: Positive = 100
    batch: Positive = 32
    learning_rate: Rate = 3e-3
    warmup: Annotated[int, Ge(0)] = 15
    questions: Positive = 600
    agents: tuple[str, ...] = ("narrow", "terse")
    seed: Annotated[int, Ge(0)] = 0


@dataclass(frozen=True, slots=True)
class RlConfig:
    """GRPO. `questions` x `group` rollouts a step; estimator `from_spec` scales as the spec's `normalise` says."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = NO_EXTRAS
    questions: Positive = 8
    group: Annotated[int, Ge(2)] = 8
    learning_rate: Rate = 5e-4
    estimator: Estimator = "from_spec"
    clip_low: Rate = 0.2
    clip_high: Weight = 0.28
    kl_weight: Weight = 0.01
    entropy_weight: Weight = 0.0
    temperature: Annotated[float, Gt(0.0)] = 1.0
    max_grad_norm: Annotated[float, Gt(0.0)] = 1.0
    micro_batch: Positive = 16


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """One run. `steps` counts RL steps; `max_turns` bounds tool calls and the report together."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = NO_EXTRAS
    run: Annotated[str, Len(1, 120)]
    stage: TrainStage = "recipe"
    steps: Positive = 40
    seed: Annotated[int, Ge(0)] = 0
    threads: Positive = 1
    checkpoint_every: Positive = 5
    max_turns: Annotated[int, Ge(2)] = 14
    model: ModelShape = field(default_factory=ModelShape)
    sft: SftConfig = field(default_factory=SftConfig)
    rl: RlConfig = field(default_factory=RlConfig)

    @property
    def version(self) -> str:
        """Hash of what decides the outcome of a step. The number of steps does not: a run may be resumed for more."""
        raw = asdict(self)
        for name in ("run", "steps", "threads", "checkpoint_every"):
            del raw[name]
        return content_hash(raw)[:16]


def read_config(path: Path | None, overrides: Mapping[str, object]) -> TrainConfig:
    """The configuration of a YAML file (none: the defaults) under the overrides that are not None.

    Raises BadInputError with one sentence a problem: where, what was found, what was expected.
    """
    import yaml
    from pydantic import TypeAdapter, ValidationError

    raw: object = {}
    if path is not None:
        try:
            raw = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise BadInputError(f"{path} cannot be read as YAML: {error}") from error
    if not isinstance(raw, dict):
        raise BadInputError(f"{path} holds {type(raw).__name__}; expected a mapping with the keys of a training run")
    merged = {**raw, **{key: value for key, value in overrides.items() if value is not None}}
    try:
        return TypeAdapter(TrainConfig).validate_python(merged)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']} (found {problem['input']!r})"
            for problem in error.errors()
        )
        raise BadInputError(f"{path or 'options'}: {problems}") from error
