"""Specifications and rollouts that several reward tests share."""

from typing import Any

from workbench.reward.core.spec import parse_spec
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts


def seed_form(**changes: Any) -> dict[str, Any]:
    """The seed article's reward as a mapping, top-level keys replaced by `changes`."""
    form: dict[str, Any] = {
        "kind": "reward-spec",
        "name": "seed",
        "stage": "search_rl",
        "report_source": "agent",
        "quality": {"grader": "checklist"},
        "shaping": {
            "weight": 0.5,
            "terms": [
                {"name": "distinct_queries", "weight": 0.4, "target": "per_question"},
                {"name": "distinct_sites", "weight": 0.6, "target": "per_question", "counts": "opened"},
            ],
            "zero_target": "full_credit",
        },
    }
    return form | changes


def seed_spec(**changes: Any) -> RewardSpec:
    return parse_spec(seed_form(**changes))


def facts(**changes: Any) -> RolloutFacts:
    """A rollout of question `q` with 6 distinct queries and 2 sites opened, a report of 5,000 characters."""
    values: dict[str, Any] = {
        "question_id": "q",
        "distinct_queries": 6,
        "sites_opened": 2,
        "sites_cited": 3,
        "sites_seen": 5,
        "tool_calls": 9,
        "failed_calls": 1,
        "report_chars": 5000,
        "citations": 7,
        "citations_not_retrieved": 2,
    }
    return RolloutFacts(**(values | changes))


def target(queries: int = 12, sites: int = 5) -> dict[str, QuestionTarget]:
    return {"q": QuestionTarget("q", queries, sites, n_references=3)}
