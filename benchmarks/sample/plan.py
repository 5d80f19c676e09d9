"""How large the sample store is and from which seeds it is made."""

from dataclasses import dataclass, field
from functools import cached_property

from benchmarks.simulated_web.agents import SAMPLE, agent_named
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.recording import run_meta
from benchmarks.simulated_web.world import World, WorldSize, generate_world
from workbench.schema.canonical import JsonValue

# What the targets come from: agents that research without padding.
REFERENCES = ("broad", "terse", "narrow")
COMPARED = ("broad", "padder", "narrow")
# One failing each that the five lack, and that another page shows: citations that do not say it (what citations rest
# on), half the question unanswered (criteria), the same calls over and over (phases, labels of steps).
FAILING = ("swapped_citations", "stopping_early", "looping")


@dataclass(frozen=True)
class SamplePlan:
    """`questions` x `agents` x `attempts` trajectories on one world. Equal plans give stores of one content hash."""

    seed: int = 20261129
    question_seed: int = 7
    questions: int = 40
    agents: tuple[str, ...] = (*SAMPLE, *FAILING)
    attempts: int = 4
    raters: int = 4
    stressed_reports: int = 32
    checked_reports: int = 12
    size: WorldSize = field(default_factory=WorldSize)

    @cached_property
    def world(self) -> World:
        return generate_world(self.seed, size=self.size)

    @cached_property
    def asked(self) -> tuple[Question, ...]:
        return make_questions(self.world, self.questions, self.question_seed)

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(agent_named(name).run for name in self.agents)

    @property
    def n_trajectories(self) -> int:
        return self.questions * len(self.agents) * self.attempts

    def runs_of(self, names: tuple[str, ...]) -> list[str]:
        """Runs of those of these agents that take part."""
        return [agent_named(name).run for name in names if name in self.agents]

    def run_meta(self) -> dict[str, JsonValue]:
        """What a run of this plan records, enough for gold to make world and questions again."""
        return run_meta(self.world, self.question_seed, self.questions, "scripted agents of the simulated web")
