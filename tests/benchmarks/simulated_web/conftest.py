"""One default world and its questions for all tests of the simulated web."""

import pytest

from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.world import World, generate_world


@pytest.fixture(scope="session")
def world() -> World:
    return generate_world(1)


@pytest.fixture(scope="session")
def questions(world: World) -> tuple[Question, ...]:
    return make_questions(world, 60, 7)
