"""Opening a store, and the object that hands out its repositories."""

from pathlib import Path
from types import TracebackType

from sqlalchemy.engine import URL

from workbench.errors import StoreError
from workbench.store.engine import Backend, Database, make_engine, parse_url
from workbench.store.jobs.repository import Jobs
from workbench.store.repositories.columns import ColumnReads
from workbench.store.repositories.diagnoses import Diagnoses
from workbench.store.repositories.grades import Grades
from workbench.store.repositories.human import Human
from workbench.store.repositories.notes import Notes
from workbench.store.repositories.pairs import PairGrades
from workbench.store.repositories.replies import Replies
from workbench.store.repositories.rewards import Rewards
from workbench.store.repositories.rewrites import Rewrites
from workbench.store.repositories.runs import Runs
from workbench.store.repositories.sheets import Sheets
from workbench.store.repositories.stress import Stress
from workbench.store.repositories.training import Training
from workbench.store.repositories.trajectories import Trajectories
from workbench.store.schema_version import bring_up_to_date


class Store:
    """One database and its repositories. A context manager; safe to share between threads."""

    def __init__(self, url: URL, database: Database) -> None:
        self._database = database
        self.url = url.render_as_string(hide_password=False)
        self.shown_url = url.render_as_string()
        self.backend: Backend = database.backend
        self.trajectories = Trajectories(database)
        self.runs = Runs(database)
        self.grades = Grades(database)
        self.pairs = PairGrades(database)
        self.columns = ColumnReads(database)
        self.replies = Replies(database)
        self.sheets = Sheets(database)
        self.human = Human(database)
        self.notes = Notes(database)
        self.rewards = Rewards(database)
        self.stress = Stress(database)
        self.training = Training(database)
        self.rewrites = Rewrites(database)
        self.diagnoses = Diagnoses(database)
        self.jobs = Jobs(database)

    def content_hash(self) -> str:
        """Hash over everything imported or computed: free of row order, times, automatic numbers and backend."""
        from workbench.store.content import hash_content

        return hash_content(self._database)

    def mark(self) -> str:
        """A text that differs from an earlier one of this process once anything was written to the store, by whomever.

        For whoever keeps what is computed of the store: a question of microseconds (PostgreSQL: one short query).
        """
        return self._database.mark()

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(url: str, *, create: bool = True) -> Store:
    """The store at `sqlite:///path.db` or `postgresql://...`; an older one is brought up to date.

    Raises StoreError, with a sentence, for a bad URL, a database that does not answer, one of another program or of a
    newer workbench, and (with `create=False`) for a SQLite file that does not exist.
    """
    parsed, backend = parse_url(url)
    if backend == "sqlite":
        _check_file(Path(parsed.database or ""), create)
    database = Database(make_engine(parsed, backend), backend)
    try:
        bring_up_to_date(database, parsed.render_as_string())
    except BaseException:
        database.engine.dispose()
        raise
    return Store(parsed, database)


def _check_file(path: Path, create: bool) -> None:
    if path.is_dir():
        raise StoreError(f"the store {path} is a folder; expected a SQLite file")
    if not path.exists() and not create:
        raise StoreError(
            f"there is no store at {path}; import something first, run `workbench demo build`, "
            "or name another with --store"
        )
    if not path.parent.is_dir():
        raise StoreError(f"the store {path} cannot be made: the folder {path.parent} does not exist")
