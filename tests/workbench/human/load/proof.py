"""Raters at once against one server process, with and without kills: what was lost, and how long they waited."""

import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.workbench.human.load.raters import Rater, at_once
from tests.workbench.human.load.rounds import acknowledged_by, differences, long_round
from tests.workbench.human.load.server import ServerProcess
from workbench.store import open_store

EVERY_S = 2.0
PAIRS = 60
# The most that a start of the server may take.
START_S = 60


def load(
    store_url: str, folder: Path, *, raters: int, ballots: int, kill_after: tuple[int, ...] = ()
) -> dict[str, Any]:
    """`ballots` (at most PAIRS) from every rater, one every two seconds, and a draft before each.

    The server is killed with SIGKILL once so many ballots were acknowledged, and started again: counted in ballots, so
    that a slow machine is not killed before it has done anything. Gives counts, waits in milliseconds (of
    the whole way: client, server, disk) and the differences, all of which have to be empty.
    """
    with open_store(store_url) as store:
        round_, invitations = long_round(store, raters=raters, pairs=PAIRS)
        server = ServerProcess(store_url, folder)
        server.start()
        began, cpu = time.monotonic(), 0.0
        stop = threading.Event()
        people = [Rater(one, server.port, EVERY_S, ballots, stop) for one in invitations]
        threads = at_once(people)
        try:
            for after in kill_after:
                while sum(len(one.acknowledged) for one in people) < after and any(one.is_alive() for one in threads):
                    time.sleep(0.01)
                cpu += server.cpu_s()
                server.kill()
                server.start()
            for thread in threads:
                thread.join(ballots * EVERY_S + (1 + len(kill_after)) * START_S)
            took = time.monotonic() - began
            cpu += server.cpu_s()
        finally:
            stop.set()
            server.stop()
        cast = acknowledged_by(people)
        return {
            "backend": store.backend,
            "raters": raters,
            "seconds": round(took, 1),
            "kills": len(kill_after),
            "ballots": len(cast),
            "ballots_wanted": raters * ballots,
            "sent_more_than_once": sum(1 for one in cast if one.tries > 1),
            "acknowledged_ms": quantiles([one.seconds for one in cast]),
            "draft_kept_ms": quantiles([one for rater in people for one in rater.drafts_s]),
            "server_cpu_share": round(cpu / took, 2),
            "load_average": [round(one, 1) for one in os.getloadavg()],
            "niceness": os.nice(0),
            "trouble": [one for rater in people for one in rater.trouble],
            **differences(store, round_.id, cast),
        }


def quantiles(seconds: list[float]) -> dict[str, float]:
    """p50, p95, p99 and the longest, in milliseconds."""
    found = np.percentile(np.asarray(seconds) * 1e3, [50, 95, 99, 100])
    return dict(zip(("p50", "p95", "p99", "max"), (round(float(one), 1) for one in found), strict=True))


def sync_floor_ms(folder: Path, n: int = 200) -> dict[str, float]:
    """How long this disk takes to sync four kilobytes, beside which an acknowledged write has to be read."""
    waits = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(n):
            file.write(os.urandom(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            waits.append(time.perf_counter() - began)
    return quantiles(waits)
