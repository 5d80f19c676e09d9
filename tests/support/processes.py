"""Processes for tests that need several: forked from a clean server that has imported the store once."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
# Forking pytest itself would copy its threads' locks and its database connections.
_CONTEXT.set_forkserver_preload(["workbench.store.store", "psycopg", "alembic.command"])


def start_process(work: Callable[..., object], *arguments: Any) -> ForkServerProcess:
    process = _CONTEXT.Process(target=work, args=arguments)
    process.start()
    return process
