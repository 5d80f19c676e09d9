"""Raters who work at once: each reads its desk, saves drafts, casts a ballot every so often, and tries again as the
page does where the connection is lost."""

import http.client
import json
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.human.rounds import Invitation
from workbench.schema.ballot import BALLOT_VERDICTS


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A ballot that the server said it has. `seconds`: from the last byte sent to the last byte of the answer."""

    rater: str
    assignment: str
    verdict: str
    scores: dict[str, list[int]]
    reason: str
    seconds: float
    tries: int


@dataclass(slots=True)
class Rater:
    """One browser: a connection kept open, `wanted` ballots, one every `every_s` seconds, a draft before each."""

    invitation: Invitation
    port: int
    every_s: float
    wanted: int
    stop: threading.Event
    acknowledged: list[Acknowledged] = field(default_factory=list)
    drafts_s: list[float] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    _connection: http.client.HTTPConnection | None = None

    def work(self) -> None:
        rng = random.Random(self.invitation.rater)
        try:
            desk = self._ask("GET", "/api/desk")[0]["desk"]
            # Raters do not begin on the same beat.
            due = time.monotonic() + rng.random() * self.every_s
            while len(self.acknowledged) < self.wanted and not self.stop.is_set():
                self._sleep_until(due - 0.5 * self.every_s)
                assignment, ballot = desk["assignment"], self._ballot(desk, rng)
                self.drafts_s.append(self._ask("PUT", f"/api/drafts/{assignment}", {"reason": ballot["reason"]})[1])
                self._sleep_until(due)
                answer, seconds, tries = self._ask("POST", "/api/ballots", ballot, key=f"{rng.getrandbits(128):032x}")
                if answer["outcome"] == "already" and tries == 1:
                    self.trouble.append(f"{assignment}: said to be cast before, and was not")
                scores = ballot["scores"]
                said = (ballot["verdict"], scores, ballot["reason"])
                self.acknowledged.append(Acknowledged(self.invitation.rater, assignment, *said, seconds, tries))
                desk = answer["desk"]
                due += self.every_s
        except Exception as error:
            self.trouble.append(f"{self.invitation.rater}: {type(error).__name__}: {error}")
        finally:
            if self._connection is not None:
                self._connection.close()

    def _ballot(self, desk: Any, rng: random.Random) -> dict[str, Any]:
        # The reason says whose ballot on which pair it is, so that one filed under another name shows.
        return {
            "assignment": desk["assignment"],
            "verdict": rng.choice(BALLOT_VERDICTS),
            "scores": {one["name"]: [rng.randint(1, 5), rng.randint(1, 5)] for one in desk["dimensions"]},
            "reason": f"{self.invitation.rater} on {desk['assignment']}: {rng.getrandbits(64):x}",
            "seconds": round(rng.uniform(1, 300), 1),
        }

    def _sleep_until(self, due: float) -> None:
        self.stop.wait(max(0.0, due - time.monotonic()))

    def _ask(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[Any, float, int]:
        """(answer, seconds of the try that was answered, tries). Without a connection it tries again for a minute."""
        headers = {"Cookie": f"rater={self.invitation.token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        sent = None if body is None else json.dumps(body).encode()
        give_up = time.monotonic() + 60
        tries = 0
        while True:
            tries += 1
            try:
                connection = self._connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                self._connection = connection
                connection.request(method, path, sent, headers)
                began = time.perf_counter()
                response = connection.getresponse()
                data = response.read()
                seconds = time.perf_counter() - began
            except (OSError, http.client.HTTPException):
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.1)
                continue
            if response.status >= 400:
                raise AssertionError(f"{method} {path} answered {response.status}: {data[:200]!r}")
            return (json.loads(data) if data else None), seconds, tries


def at_once(raters: Sequence[Rater]) -> list[threading.Thread]:
    """All of them at work, each in a thread of its own."""
    threads = [threading.Thread(target=one.work, name=one.invitation.rater, daemon=True) for one in raters]
    for thread in threads:
        thread.start()
    return threads
