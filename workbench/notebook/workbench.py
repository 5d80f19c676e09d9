"""`workbench.open()`: the store for a notebook or a pipeline, as frames, records and files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from workbench.notebook.batches import read_batches
from workbench.notebook.columns import columns_of
from workbench.notebook.files import TRAJECTORIES_ONCE, Written, write_lines, write_native, write_parquet
from workbench.notebook.filters import Filters, filter_from
from workbench.notebook.records import CitationRecord, GradeRecord, StepRecord
from workbench.notebook.tabular import to_frame
from workbench.schema.trajectory import Trajectory
from workbench.settings import load_settings
from workbench.store import Store, open_store

if TYPE_CHECKING:
    import pandas as pd


def open_workbench(url: str | None = None) -> "Workbench":
    """The store at `url`, else that of the variable WORKBENCH_STORE, else `workbench.db` in this folder.

    Raises StoreError where there is none.
    """
    return Workbench(open_store(load_settings(url).store_url, create=False))


class Workbench:
    """A store, read. Frames have the columns of docs/frames.md, filters the names of the app's.

    Texts are read only with `bodies=True`. `store` is the store itself, for all else. A context manager.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def runs(self, *, bodies: bool = False) -> "pd.DataFrame":
        return self._frame("runs", {}, bodies)

    def trajectories(self, *, bodies: bool = False, **filter: Unpack[Filters]) -> "pd.DataFrame":
        return self._frame("trajectories", filter, bodies)

    def steps(self, *, bodies: bool = False, **filter: Unpack[Filters]) -> "pd.DataFrame":
        """Steps of the trajectories that pass, each with its phase."""
        return self._frame("steps", filter, bodies)

    def phases(self, **filter: Unpack[Filters]) -> "pd.DataFrame":
        """Sums over the steps of each phase, three rows a trajectory."""
        return self._frame("phases", filter, False)

    def citations(self, *, bodies: bool = False, **filter: Unpack[Filters]) -> "pd.DataFrame":
        """All citations of the trajectories that pass. `retrieval` asks for trajectories with one of that class."""
        return self._frame("citations", filter, bodies)

    def grades(self, *, bodies: bool = False, **filter: Unpack[Filters]) -> "pd.DataFrame":
        """Grades of the trajectories that pass, failed ones too; with `grader` that grader's alone."""
        return self._frame("grades", filter, bodies)

    def ballots(self, *, round: str | None = None, bodies: bool = False) -> "pd.DataFrame":
        """Ballots that stand, those set aside too. `left` and `right` are missing while their round is open."""
        return self._frame("ballots", {"round": round} if round is not None else {}, bodies)

    def votes(self, *, round: str | None = None, source: str | None = None, bodies: bool = False) -> "pd.DataFrame":
        """What ratings read: ballots of closed rounds that count, with names for sides, and imported votes."""
        given = {name: value for name, value in (("round", round), ("source", source)) if value is not None}
        return self._frame("votes", given, bodies)

    def describe(self, table: str) -> "pd.DataFrame":
        """The columns of a table: name, dtype, meaning, whether it needs `bodies=True`."""
        import pandas as pd

        columns = columns_of(table, bodies=True)
        rows = [(column.name, column.dtype, column.about, column.body) for column in columns]
        return pd.DataFrame(rows, columns=["column", "dtype", "about", "body"])

    def iter_trajectories(self, **filter: Unpack[Filters]) -> Iterator[Trajectory]:
        """Whole trajectories in the order of import, a few in memory at a time."""
        return self.store.trajectories.iterate(filter_from(filter), batch=TRAJECTORIES_ONCE)

    def iter_steps(self, **filter: Unpack[Filters]) -> Iterator[StepRecord]:
        """Steps with their bodies, in bounded memory."""
        return (StepRecord(*found) for found in self.store.columns.step_records(filter_from(filter)))

    def iter_citations(self, **filter: Unpack[Filters]) -> Iterator[CitationRecord]:
        return (CitationRecord(*found) for found in self.store.columns.citation_records(filter_from(filter)))

    def iter_grades(self, **filter: Unpack[Filters]) -> Iterator[GradeRecord]:
        """Grades with reason, verdicts and detail, in bounded memory."""
        return (GradeRecord(*found) for found in self.store.columns.grade_records(filter_from(filter)))

    def to_parquet(
        self, path: str | Path, *, table: str = "trajectories", bodies: bool = False, **filter: Any
    ) -> Written:
        """One table into one file: a path, or an address that fsspec knows. Streamed, and written whole or not at all.

        `filter` as that table's method takes it.
        """
        about = {"filter": json.dumps(filter, default=list, sort_keys=True)}
        return write_parquet(self.store, path, table, filter, bodies=bodies, about=about)

    def to_jsonl(self, path: str | Path, *, table: str | None = None, bodies: bool = False, **filter: Any) -> Written:
        """Trajectories as native JSONL, which `workbench import` reads back to the same ids; or the rows of `table`.

        As `to_parquet` otherwise; `.gz` and `.zst` at the end of the name compress.
        """
        if table is None:
            return write_native(self.store, path, filter)
        return write_lines(self.store, path, table, filter, bodies=bodies)

    def _frame(self, table: str, given: Mapping[str, Any], bodies: bool) -> "pd.DataFrame":
        columns = columns_of(table, bodies=bodies)
        return to_frame(columns, read_batches(self.store, table, given, bodies=bodies))

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workbench({self.store.shown_url})"
