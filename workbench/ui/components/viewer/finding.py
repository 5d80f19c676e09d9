"""Finding words in the steps of a trajectory, body by body: the place they stand at, for the viewer to open."""

import re
from collections.abc import Iterator
from typing import Final

from workbench.schema.trajectory import Step
from workbench.store import Store
from workbench.ui.components.viewer.bodies import Mark, Place

BATCH: Final = 400
LONGEST: Final = 2000


def find(store: Store, trajectory_id: str, words: str, *, after: int = -1) -> tuple[int, Mark] | None:
    """The first step behind `after` that holds these words, and where; None where no later step does.

    Case and the kind of blank between words do not count. Of longer words the first LONGEST characters are looked for.
    """
    parts = words[:LONGEST].split()
    if not parts:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    start = after + 1
    while steps := store.trajectories.steps(trajectory_id, start, start + BATCH):
        for position, step in enumerate(steps, start):
            for place, index, text in _texts(step):
                if found := pattern.search(text):
                    return position, Mark(place, index, found.start(), found.end())
        start += len(steps)
    return None


def _texts(step: Step) -> Iterator[tuple[Place, int, str]]:
    yield "reasoning", 0, step.reasoning
    yield "text", 0, step.text
    for index, result in enumerate(step.tool_results):
        yield "result", index, result.text
