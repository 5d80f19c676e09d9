"""python -m tests.levels_study [development]: the study into docs/evidence/web-levels.json, or a look while tuning.

python -m tests.levels_study pages SEED N FOLDER: N pages of a mixed world as text files, to be read by a person.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.simulated_web.manner import MANNERS
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import page_text
from benchmarks.simulated_web.world import WorldSize, generate_world
from tests.levels_study.study import SEEDS, best_threshold, measured, pairs_of
from tests.support.evidence import write_evidence

SIZES = (WorldSize(48, 40, 300), WorldSize(3000, 40, 30_000))
COST_SEED = 20261203


def run() -> dict[str, Any]:
    """The threshold of overlap from plain pages of development worlds; everything else from the report worlds."""
    plain = [pair for pair in pairs_of(SEEDS["development"]) if pair.level == "plain" and pair.page_language == "en"]
    result = measured(pairs_of(SEEDS["report"]), threshold=best_threshold(plain))
    return {"seeds": SEEDS, **result, "cost_of_a_hard_world": [cost_elsewhere(size) for size in SIZES]}


def cost_elsewhere(size: WorldSize) -> dict[str, Any]:
    """`cost` in a process of its own, so that peak memory is that of one world."""
    call = [sys.executable, "-m", "tests.levels_study", "cost", str(size.entities), str(size.sites), str(size.pages)]
    answer: dict[str, Any] = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    return answer


def cost(size: WorldSize) -> dict[str, Any]:
    """CPU seconds to make, hash and index one world in the hardest manner and a plain one, MiB of peak memory."""
    times = []
    for manner in (MANNERS["plain"], MANNERS["hard"]):
        start = time.process_time()
        world = generate_world(COST_SEED, size=size, manner=manner)
        times.append(round(time.process_time() - start, 2))
    start = time.process_time()
    digest = world.hash
    hashed = time.process_time() - start
    start = time.process_time()
    _ = world.index
    return {
        "pages": size.pages,
        "plain_make_s": times[0],
        "make_s": times[1],
        "hash_s": round(hashed, 2),
        "index_s": round(time.process_time() - start, 2),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "hash": digest,
    }


def write_sample(seed: int, n: int, folder: Path) -> None:
    """`n` pages of a mixed world, those that tell nothing left out, one text file a page, without level or truth."""
    world = generate_world(seed, manner=MANNERS["mixed"])
    told = [page for page in world.pages if page.statements]
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(Rng("pages to read", seed).sample(told, n), 1):
        (folder / f"page-{number:02d}.txt").write_text(page_text(world, page) + "\n", encoding="utf-8")


def main() -> dict[str, Any]:
    """Runs and writes the evidence."""
    began = time.monotonic()
    result = run()
    write_evidence(
        "web-levels",
        result,
        seed=SEEDS["report"][0],
        n=result["pairs"],
        seconds=time.monotonic() - began,
        code=("benchmarks/simulated_web", "rubrics/judging", "graders/citation_check", "tests/levels_study"),
    )
    return result


def command(words: Sequence[str]) -> None:
    match list(words):
        case []:
            main()
        case ["development"]:
            pairs = pairs_of(SEEDS["development"])
            plain = [pair for pair in pairs if pair.level == "plain" and pair.page_language == "en"]
            show(measured(pairs, threshold=best_threshold(plain)))
        case ["pages", seed, n, folder]:
            write_sample(int(seed), int(n), Path(folder))
        case ["cost", entities, sites, pages]:
            print(json.dumps(cost(WorldSize(int(entities), int(sites), int(pages)))))
        case _:
            sys.exit(__doc__)


def show(result: dict[str, Any]) -> None:
    """A line a level."""
    for check in ("lexical_check", "overlap_alone"):
        print(check)
        for level, found in result[check]["levels"].items():
            yes = found["supported"]
            figures = (
                yes["precision"]["value"],
                yes["recall"]["value"],
                found["found_of_all_true"]["value"],
                found["auc"],
            )
            falsely = [found[f"called_supported: {s}"]["value"] for s in ("value changed", "another entity")]
            print(f"  {level:40} n {found['n']:5} precision, recall, of all, auc {figures} falsely {falsely}")


if __name__ == "__main__":
    command(sys.argv[1:])
