"""How fast a job is and how long it still takes, from its progress over the last minute."""

from collections import deque

WINDOW_S = 60.0
SHORTEST_S = 1.0


class Rate:
    """Progress as (moment in seconds, items done). A pause begins a new measurement."""

    def __init__(self) -> None:
        self._points: deque[tuple[float, int]] = deque()

    def note(self, at_s: float, done: int) -> None:
        if self._points and done < self._points[-1][1]:
            self._points.clear()
        self._points.append((at_s, done))
        while len(self._points) > 2 and at_s - self._points[1][0] >= WINDOW_S:
            self._points.popleft()

    def restart(self) -> None:
        self._points.clear()

    def per_s(self, now_s: float) -> float | None:
        """Items a second until now; None until a second has been seen."""
        if not self._points:
            return None
        first_s, first_done = self._points[0]
        elapsed_s = now_s - first_s
        return (self._points[-1][1] - first_done) / elapsed_s if elapsed_s >= SHORTEST_S else None

    def left_s(self, now_s: float, total: int | None) -> float | None:
        """Seconds until `total` at this rate; None where either is unknown or nothing moves."""
        rate = self.per_s(now_s)
        if not rate or total is None:
            return None
        return max(0, total - self._points[-1][1]) / rate
