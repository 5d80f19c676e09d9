"""Question sheets: what a deterministic grader needs to know of a question."""

from collections.abc import Mapping

from sqlalchemy import func, select

from workbench.schema.canonical import JsonObject
from workbench.store.repositories.base import Repository
from workbench.store.tables import SheetTable


class Sheets(Repository):
    """Kept per question under a name, so that an exported job can carry them."""

    def put(self, name: str, sheets: Mapping[str, JsonObject]) -> None:
        """Replaces the sheets of these questions under this name; others stay."""
        rows = [{"name": name, "question_id": key, "sheet": sheet} for key, sheet in sorted(sheets.items())]
        if not rows:
            return
        statement = self._db.insert(SheetTable)
        statement = statement.on_conflict_do_update(
            index_elements=["name", "question_id"], set_={"sheet": statement.excluded.sheet}
        )
        with self._db.write() as connection:
            connection.execute(statement, rows)

    def all(self, name: str) -> dict[str, JsonObject]:
        """Question id -> sheet, empty where the name is unknown."""
        with self._db.read() as connection:
            rows = connection.execute(
                select(SheetTable.question_id, SheetTable.sheet)
                .where(SheetTable.name == name)
                .order_by(SheetTable.question_id)
            )
            return {row.question_id: row.sheet for row in rows}

    def names(self) -> dict[str, int]:
        """Each name and how many questions have a sheet under it."""
        with self._db.read() as connection:
            rows = connection.execute(
                select(SheetTable.name, func.count().label("n")).group_by(SheetTable.name).order_by(SheetTable.name)
            )
            return {row.name: row.n for row in rows}
