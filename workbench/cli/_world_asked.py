"""Which questions a verb of `workbench world` asks, and the options that say so."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

SEED = 1
QUESTION_SEED = 1001


class RecipeName(StrEnum):
    """How questions are drawn."""

    plain = "plain"
    graph = "graph"


Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the world.")]
QuestionSeed = Annotated[int, typer.Option("--question-seed", min=0, help="Seed of the questions.")]
Questions = Annotated[int, typer.Option("--questions", min=1, help="How many questions.")]
MannerName = Annotated[str, typer.Option("--manner", help="How hard its pages are to read: plain, mixed or hard.")]
RecipeOption = Annotated[RecipeName, typer.Option("--recipe", help="graph: harder, several links and parts.")]
GatedOption = Annotated[
    bool, typer.Option("--gated", help="Only what no guesser answers, a good agent does, and that takes enough calls.")
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A world and the questions asked in it. `drawn` and `dropped` (by reason) are of the gates, 0 without them."""

    world: Any
    questions: tuple[Any, ...]
    question_seed: int
    recipe: RecipeName
    gated: bool
    drawn: int = 0
    dropped: dict[str, int] | None = None

    def run_meta(self, made_by: str) -> dict[str, Any]:
        from benchmarks.simulated_web.recording import run_meta

        return run_meta(
            self.world, self.question_seed, len(self.questions), made_by, recipe=self.recipe.value, gated=self.gated
        )


def ask_world(questions: int, *, seed: int, question_seed: int, manner: str, recipe: RecipeName, gated: bool) -> Asked:
    """Raises BadInputError for a manner that there is not, or where the world holds no so many questions."""
    from benchmarks.simulated_web.gates import gated_questions
    from benchmarks.simulated_web.manner import manner_named
    from benchmarks.simulated_web.questions import make_questions
    from benchmarks.simulated_web.world import generate_world

    world = generate_world(seed, manner=manner_named(manner))
    if not gated:
        made = make_questions(world, questions, question_seed, recipe=recipe.value)
        return Asked(world, made, question_seed, recipe, gated)
    kept = gated_questions(world, questions, question_seed, recipe=recipe.value)
    return Asked(world, kept.questions, question_seed, recipe, gated, kept.drawn, dict(kept.dropped))
