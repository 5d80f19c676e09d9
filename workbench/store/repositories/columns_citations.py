"""Citations by columns, and as records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select, tuple_

from workbench.schema.analysis import Citation, Passage
from workbench.store.codec import unpack_json, unpack_text
from workbench.store.engine import AnyRow
from workbench.store.repositories.columns_base import BODY_BATCH, LIGHT_BATCH, ColumnReader, to_columns
from workbench.store.rows import Columns, TrajectoryFilter
from workbench.store.tables import BodyTable, CitationTable, DocumentTable, StepTable, TrajectoryTable

_T, _C, _S, _B, _D = TrajectoryTable, CitationTable, StepTable, BodyTable, DocumentTable
_LIGHT = (
    "trajectory_id", "question_id", "run", "ordinal", "marker", "url", "site", "retrieval", "support", "start", "end",
    "claim_start", "claim_end", "passage_step", "passage_result", "passage_start", "passage_end",
)  # fmt: skip
_Place = tuple[int, int]  # a trajectory's number and a step's position
_STEPS_ONCE = 2000  # of places in one statement, each two parameters


class CitationColumns(ColumnReader):
    """One row a citation; with bodies the claim that it serves and the passage that it rests on."""

    def citations(self, filter_: TrajectoryFilter, *, bodies: bool = False) -> Iterator[Columns]:
        """Batches in the order of import and of the report. `passage` is None where nothing was retrieved."""
        for batch in self._batches(filter_, BODY_BATCH if bodies else LIGHT_BATCH):
            rows = self._citation_rows(batch)
            found = to_columns(_LIGHT, [_light(row) for row in rows])
            if bodies:
                found["claim"], found["passage"] = self._claims(rows), self._passages(rows)
            yield found

    def citation_records(self, filter_: TrajectoryFilter) -> Iterator[tuple[str, Citation]]:
        """(trajectory id, citation) of each."""
        for batch in self._batches(filter_, LIGHT_BATCH):
            for row in self._citation_rows(batch):
                passage = row.body.pop("passage")
                found = None if passage is None else Passage(**passage)
                yield row.id, Citation(row.ordinal, retrieval=row.retrieval, support=row.support, passage=found,
                                       **row.body)  # fmt: skip

    def _citation_rows(self, batch: list[int]) -> Sequence[AnyRow]:
        statement = (
            select(_T.seq, _T.id, _T.question_id, _T.run, _C.ordinal, _C.retrieval, _C.support, _C.body)
            .select_from(_C)
            .join(_T, _T.seq == _C.trajectory)
            .where(_C.trajectory.in_(batch))
            .order_by(_C.trajectory, _C.ordinal)
        )
        with self._db.read() as connection:
            return connection.execute(statement).all()

    def _claims(self, rows: Sequence[AnyRow]) -> list[str]:
        claims: list[str] = []
        with self._db.read() as connection:
            asked = select(_B.trajectory, _B.report).where(_B.trajectory.in_({row.seq for row in rows}))
            packed = {row.trajectory: row.report for row in connection.execute(asked)}
        number, report = -1, ""
        for row in rows:  # by trajectory: so one report is unpacked at a time
            if row.seq != number:
                number, report = row.seq, unpack_text(packed[row.seq])
            claims.append(report[row.body["claim_start"] : row.body["claim_end"]])
        return claims

    def _passages(self, rows: Sequence[AnyRow]) -> list[str | None]:
        places = sorted({(row.seq, row.body["passage"]["step"]) for row in rows if row.body["passage"]})
        keys: dict[_Place, list[str]] = {}
        for start in range(0, len(places), _STEPS_ONCE):
            asked = select(_S.trajectory, _S.position, _S.payload).where(
                tuple_(_S.trajectory, _S.position).in_(places[start : start + _STEPS_ONCE])
            )
            with self._db.read() as connection:
                for row in connection.execute(asked):
                    results = unpack_json(row.payload).get("tool_results", ())
                    keys[row.trajectory, row.position] = [result["doc"] for result in results]
        wanted: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            if (key := _document_of(row, keys)) is not None:
                wanted.setdefault(key, []).append(number)
        passages: list[str | None] = [None] * len(rows)
        documents = select(_D.key, _D.body).where(_D.key.in_(self._db.values(sorted(wanted))))
        with self._db.read() as connection:
            for document in connection.execute(documents, execution_options={"yield_per": 50}) if wanted else ():
                text = unpack_text(document.body)
                for number in wanted[document.key]:
                    passage = rows[number].body["passage"]
                    passages[number] = text[passage["start"] : passage["end"]]
        return passages


def _document_of(row: AnyRow, keys: Mapping[_Place, list[str]]) -> str | None:
    passage = row.body["passage"]
    if passage is None:
        return None
    results = keys.get((row.seq, passage["step"]), [])
    return results[passage["result"]] if passage["result"] < len(results) else None


def _light(row: AnyRow) -> tuple[Any, ...]:
    said = row.body
    passage = said["passage"] or dict.fromkeys(("step", "result", "start", "end"))
    return (
        row.id, row.question_id, row.run, row.ordinal, said["marker"], said["url"], said["site"], row.retrieval,
        row.support, said["start"], said["end"], said["claim_start"], said["claim_end"], passage["step"],
        passage["result"], passage["start"], passage["end"],
    )  # fmt: skip
