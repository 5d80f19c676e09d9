"""What a person's corrections change in the totals of phases, of the moved steps alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from workbench.phases.activity import step_tokens
from workbench.phases.costs import steps_duration
from workbench.schema.analysis import Phase
from workbench.schema.trajectory import Step

Moved = tuple[str, Phase | None, Phase, Step]  # trajectory id, phase by the rules, phase by a person, step


def moved_totals(moves: Iterable[Moved]) -> dict[str, Mapping[str, float]]:
    """By trajectory: what is to be added to `<phase>_<steps|tokens|tool_calls|duration_s>` as computed by the rules.

    A step without a phase by the rules is added to the person's. One whose time is not recorded moves no time.
    """
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for id_, was, now, step in moves:
        if was == now:
            continue
        sums = {"steps": 1, "tokens": step_tokens(step), "tool_calls": len(step.tool_calls)}
        seconds = steps_duration([step])
        timed = {} if seconds is None else {"duration_s": seconds}
        for name, value in (sums | timed).items():
            found[id_][f"{now}_{name}"] += value
            if was is not None:
                found[id_][f"{was}_{name}"] -= value
    return {id_: dict(changes) for id_, changes in found.items()}
