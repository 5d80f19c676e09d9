"""How often do the intervals of ratings hold? `python -m tests.ratings_coverage_study [--kept FILE]`.

4,000 simulated rounds a design, in blocks; with --kept a run that was stopped goes on where it was. Writes
docs/evidence/ratings-coverage.json.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import TypeAlias

import numpy as np

from tests.support.evidence import write_evidence
from tests.workbench.human.ratings.covering import ESTIMANDS, Held, coverage
from tests.workbench.human.ratings.simulation import DESIGNS, Design, simulate, votes_of
from workbench.human.ratings import rate

ROUNDS, BLOCK, SEED = 4000, 200, 20261130
GOAL = (0.935, 0.965)
# What the tables show unless asked otherwise: these are to hold on every design.
DEFAULTS = ("bradley-terry", "davidson", "win score", "adjusted")
# Why the intervals of a design may miss; `rate` says so to whoever has such a round.
REASONS = {
    "two models, few votes": "30 votes: a figure of so few takes few values, so that its intervals hold too often",
    "two raters who differ": "two raters: how much raters differ is estimated from one difference",
    "four raters who differ": "four raters: how much raters differ is estimated from three differences",
    "three questions": "three questions: how much questions differ is estimated from two differences",
}
Block: TypeAlias = tuple[int, int]


def warnings_on(design: Design) -> tuple[str, ...]:
    """What `rate` says of a round of this design."""
    return rate(votes_of(simulate(design, np.random.default_rng(SEED)))).problems


def one(block: Block) -> tuple[Block, Held, float]:
    began = time.monotonic()
    place, number = block
    held = coverage(DESIGNS[place], rounds=BLOCK, seed=[SEED, place, number])
    return block, held, time.monotonic() - began


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Coverage of the intervals of ratings.")
    parser.add_argument("--kept", type=Path, help="Blocks done, one a line: a stopped run goes on from it.")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="Write the evidence of the blocks done, and stop.")
    given = parser.parse_args(arguments)
    done = dict(_read(given.kept)) if given.kept and given.kept.exists() else {}
    # All designs a little at a time: a look at half the run sees every design.
    wanted = [(place, number) for number in range(ROUNDS // BLOCK) for place in range(len(DESIGNS))]
    if given.write:
        _write(done)
        return
    with Pool(given.processes) as pool:
        for block, held, seconds in pool.imap_unordered(one, [block for block in wanted if block not in done]):
            done[block] = (held, seconds)
            if given.kept:
                with given.kept.open("a") as file:
                    file.write(json.dumps([*block, dict(held.counts), held.rounds, held.one_way, seconds]) + "\n")
    _write(done)


def _read(path: Path) -> Iterator[tuple[Block, tuple[Held, float]]]:
    for line in path.read_text().splitlines():
        place, number, counts, rounds, one_way, seconds = json.loads(line)
        yield (place, number), (Held({name: (h, n) for name, (h, n) in counts.items()}, rounds, one_way), seconds)


def _write(done: dict[Block, tuple[Held, float]]) -> None:
    table: dict[str, dict[str, float]] = {}
    for place, design in enumerate(DESIGNS):
        blocks = [held for (where, _), (held, _) in done.items() if where == place]
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for held in blocks:
            for method, (hits, n) in held.counts.items():
                counts[method][0] += hits
                counts[method][1] += n
        table[design.name] = {method: round(hits / n, 4) for method, (hits, n) in counts.items()}
        table[design.name]["one_way"] = sum(held.one_way for held in blocks) / sum(held.rounds for held in blocks)
    inside = {
        name: [method for method, share in row.items() if method in ESTIMANDS and GOAL[0] <= share <= GOAL[1]]
        for name, row in table.items()
    }
    result = {
        "what": "share of 95% intervals that hold the true figure, over n simulated rounds a design",
        "estimands": dict(ESTIMANDS),
        "coverage": table,
        "goal": GOAL,
        "methods_in_goal": inside,
        "defaults_out_of_goal": {
            name: {
                "coverage": {method: row[method] for method in out},
                "reason": REASONS.get(name, "not known"),
                "said_by_the_app": list(warnings_on(design)),
            }
            for design, (name, row) in zip(DESIGNS, table.items(), strict=True)
            if (out := [method for method in DEFAULTS if method in row and method not in inside[name]])
        },
        "naive_misses_by": {name: round(0.95 - row["naive"], 4) for name, row in table.items()},
    }
    rounds = min(sum(held.rounds for (where, _), (held, _) in done.items() if where == place)
                 for place in range(len(DESIGNS)))  # fmt: skip
    seconds = sum(seconds for _, seconds in done.values())
    code = ("workbench/human/ratings", "workbench/stats", "tests/workbench/human/ratings")
    write_evidence("ratings-coverage", result, seed=SEED, n=rounds, seconds=seconds, code=code)


if __name__ == "__main__":
    main()
