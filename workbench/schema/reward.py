"""The reward a run trains on, as plain records. `workbench.reward.core` gives them meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue

Stage: TypeAlias = Literal["search_rl", "end_to_end_rl", "any"]
Normalise: TypeAlias = Literal["group", "batch", "none"]
SiteCount: TypeAlias = Literal["opened", "cited", "seen_or_opened"]


@dataclass(frozen=True, slots=True)
class ShapingTerm:
    """A countable behaviour credited against a target: weight * min(count / target, 1).

    `target` is `per_question` (from the targets table) or a fixed number > 0. `counts` says which sites count.
    """

    name: Literal["distinct_queries", "distinct_sites"]
    weight: float
    target: Literal["per_question"] | float = "per_question"
    counts: SiteCount = "opened"


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition beside the sum.

    `gate`: R is multiplied by 0 unless `term` >= `at`. `veto`: R is `to` where `term` > `at`.
    `length_penalty`: a linear fall from report length `at` to `until` characters, multiplied onto R.
    `floor`: shaping counts only where G >= `at`.
    """

    kind: Literal["gate", "veto", "length_penalty", "floor"]
    term: str = ""
    at: float = 0.0
    until: float = 0.0
    to: float = 0.0


@dataclass(frozen=True, slots=True)
class RewardSpec:
    """A reward: quality G blended with shaping S, R = (G + lambda S) / (1 + lambda).

    `quality_grader` names the grader whose stored score is G; `shaping_weight` is lambda >= 0; term weights sum to 1.
    Source: Baseten and Genspark, 2026-11-10, "Shaping a good reward".
    """

    name: str
    stage: Stage
    quality_grader: str
    shaping_weight: float
    terms: tuple[ShapingTerm, ...]
    report_source: str = "agent"
    zero_target: Literal["full_credit", "no_credit"] = "full_credit"
    combine: Literal["blend"] = "blend"
    guards: tuple[Guard, ...] = ()
    on_failure: Literal["drop_sample"] = "drop_sample"
    normalise: Normalise = "group"
    targets: str = ""
    gates: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuestionTarget:
    """The most any reference rollout used on one question: the targets Q_i and D_i."""

    question_id: str
    queries: int
    sites: int
    n_references: int


@dataclass(frozen=True, slots=True)
class RolloutFacts:
    """What the reward reads of one rollout besides G: counts, lengths and citation figures (all >= 0)."""

    question_id: str
    distinct_queries: int
    sites_opened: int
    sites_cited: int
    sites_seen: int
    tool_calls: int
    failed_calls: int
    report_chars: int
    citations: int = 0
    citations_not_retrieved: int = 0


@dataclass(frozen=True, slots=True)
class Reward:
    """The reward of one rollout, or why it has none.

    `value` is None exactly when `dropped` says why (a failed judge, no target): a dropped rollout has no component
    either, so that no trainer can sum the shaping alone. `components` holds quality, shaping, each term and each guard.
    """

    value: float | None
    components: Mapping[str, float | None]
    dropped: str = ""
