"""`python -m tests.bench`: measures, prints, and writes docs/evidence/speed.json; `search [N [STORE]]`: search.json."""

import sys
import time
from dataclasses import asdict
from pathlib import Path

from tests.bench import grading, imports, rating_page, ratings, reading, simulated_web, tables
from tests.bench.measures import SEED, all_measures
from tests.bench.search import FULL_SIZE, SMALL_SIZE, measure
from tests.support.evidence import write_evidence


def main() -> None:
    start = time.perf_counter()
    ratios = []
    for ratio in all_measures():
        print(ratio.line(), flush=True)
        ratios.append(asdict(ratio))
    found = measure(SMALL_SIZE)
    print(found, flush=True)
    imported = imports.measure(small=True)
    print(imported, flush=True)
    result = {"ratios": ratios, "search": found, "imports": imported}
    seconds = time.perf_counter() - start
    code = ("workbench", "benchmarks", "tests/bench")
    write_evidence("speed", result, seed=SEED, n=len(ratios), seconds=seconds, code=code)


def search(n: int, kept: Path | None) -> None:
    start = time.perf_counter()
    found = measure(n, kept)
    print(found, flush=True)
    code = ("workbench/store", "tests/bench")
    write_evidence("search", found, seed=SEED, n=n, seconds=time.perf_counter() - start, code=code)


def import_speed(*, gigabyte: bool) -> None:
    start = time.perf_counter()
    found = imports.measure(gigabyte=gigabyte)
    print(found, flush=True)
    code = ("workbench/ingest", "workbench/store", "workbench/phases", "tests/bench")
    seconds = time.perf_counter() - start
    write_evidence("import-speed", found, seed=imports.SEED, n=imports.REPEATS, seconds=seconds, code=code)


def grading_speed() -> None:
    start = time.perf_counter()
    found = grading.measure()
    print(found, flush=True)
    code = ("graders", "rubrics", "workbench/store", "tests/bench")
    seconds = time.perf_counter() - start
    write_evidence("grading-speed", found, seed=grading.SEED, n=grading.ROUNDS, seconds=seconds, code=code)


def simulated_web_speed() -> None:
    start = time.perf_counter()
    found = simulated_web.measure()
    print(found, flush=True)
    seconds = time.perf_counter() - start
    n = simulated_web.QUERIES
    code = ("benchmarks", "tests/bench")
    write_evidence("simulated-web-speed", found, seed=simulated_web.SEED, n=n, seconds=seconds, code=code)


def reading_speed(kept: Path | None) -> None:
    start = time.perf_counter()
    found = reading.measure(kept)
    print(reading.printed(found), flush=True)
    seconds = time.perf_counter() - start
    code = ("workbench/ui", "workbench/store", "tests/bench")
    write_evidence("reading-speed", found, seed=reading.SEED, n=reading.REPEATS, seconds=seconds, code=code)


def rating_speed() -> None:
    start = time.perf_counter()
    found = ratings.measure()
    seconds = time.perf_counter() - start
    code = ("workbench/human/ratings", "workbench/stats", "tests/bench")
    write_evidence("ratings-speed", found, seed=ratings.SEED, n=ratings.BALLOTS, seconds=seconds, code=code)


def rating_page_speed() -> None:
    start = time.perf_counter()
    found = rating_page.measure()
    print(found, flush=True)
    code = ("workbench/human", "workbench/store", "tests/bench")
    seconds = time.perf_counter() - start
    write_evidence("rating-page", found, seed=rating_page.SEED, n=rating_page.RATED, seconds=seconds, code=code)


def table_speed(n: int, kept: Path | None) -> None:
    start = time.perf_counter()
    found = tables.measure(n, kept)
    print(found, flush=True)
    code = ("workbench/ui", "workbench/store", "workbench/stats", "tests/bench")
    write_evidence("tables-speed", found, seed=tables.SEED, n=n, seconds=time.perf_counter() - start, code=code)


if __name__ == "__main__":
    if sys.argv[1:2] == ["search"]:
        search(int(sys.argv[2]) if len(sys.argv) > 2 else FULL_SIZE, Path(sys.argv[3]) if len(sys.argv) > 3 else None)
    elif sys.argv[1:2] == ["imports"]:
        import_speed(gigabyte="--gigabyte" in sys.argv)
    elif sys.argv[1:2] == ["grading"]:
        grading_speed()
    elif sys.argv[1:2] == ["reading"]:
        reading_speed(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    elif sys.argv[1:2] == ["tables"]:
        kept = Path(sys.argv[3]) if len(sys.argv) > 3 else None
        table_speed(int(sys.argv[2]) if len(sys.argv) > 2 else tables.FULL_SIZE, kept)
    elif sys.argv[1:2] == ["ratings"]:
        rating_speed()
    elif sys.argv[1:2] == ["rating-page"]:
        rating_page_speed()
    elif sys.argv[1:2] == ["world"]:
        simulated_web_speed()
    else:
        main()
        rating_speed()
        grading_speed()
        simulated_web_speed()
