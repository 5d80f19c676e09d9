"""What is computed of the whole store, kept for all sessions until the store changes."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import streamlit as st

from workbench.ui.session import store, store_url

T = TypeVar("T")

MOST: Final = 64
# What is read in less is never old; what takes longer is read anew at most a tenth of the time, while a job writes.
AT_ONCE_S: Final = 0.25
SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any
    mark: str
    made_at: float
    cost_s: float
    version: int


class Kept:
    """Values by key. Whoever asks second waits for whoever asked first, and does not compute the same again."""

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._guard = threading.Lock()
        self._version = 0

    def get(self, key: Hashable, mark: str, make: Callable[[], T]) -> tuple[T, int]:
        """The value and its version, a number that no other value of these has. An empty `mark` never grows old."""
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            with self._guard:
                old = self._values.get(key)
                if old is not None:
                    self._values.move_to_end(key)
            if old is None or not _good(old, mark):
                began = time.monotonic()
                value = make()
                with self._guard:
                    self._version += 1
                    old = _Value(value, mark, time.monotonic(), time.monotonic() - began, self._version)
                    self._values[key] = old
                    while len(self._values) > MOST:
                        self._locks.pop(self._values.popitem(last=False)[0], None)
            return old.value, old.version


def _good(old: _Value, mark: str) -> bool:
    if old.mark == mark:
        return True
    return old.cost_s > AT_ONCE_S and time.monotonic() - old.made_at < old.cost_s / SHARE


@st.cache_resource(show_spinner=False)
def _kept(url: str) -> Kept:  # noqa: ARG001 - one for each store
    return Kept()


def fresh(key: Hashable, make: Callable[[], T], *, doing: str = "Reading figures …") -> tuple[T, int]:
    """What `make` reads of the store, as fresh as its cost allows, and its version for what is derived of it."""
    # The mark is asked before reading: what is written meanwhile makes the value old, not new.
    with st.spinner(doing):
        return _kept(store_url()).get(key, store().mark(), make)


def derived(key: Hashable, make: Callable[[], T], *, doing: str = "Counting …") -> T:
    """What `make` computes of values whose versions stand in `key`: never old."""
    with st.spinner(doing):
        return _kept(store_url()).get(key, "", make)[0]
