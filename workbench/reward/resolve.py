"""Which specification, targets and grader a word on the command line means."""

from collections.abc import Sequence
from pathlib import Path

from workbench.errors import BadInputError, NotFoundError
from workbench.reward.core.spec import TARGETS_PREFIX, needs_targets, parse_spec, spec_version
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.roles import check_trainable, known
from workbench.reward.targets import TargetsTable
from workbench.schema.reward import RewardSpec
from workbench.store import Store
from workbench.store.rows import GraderSummary, TargetsRow

PREFIX_LEAST = 4


def find_spec(store: Store | None, word: str) -> RewardSpec:
    """A specification by file, by saved version (a prefix of at least 4 digits, also as `name@prefix`), or by name.

    A name means the one saved last under it, else the one that comes with the workbench. Without a store only files
    and the latter can be found.
    """
    path = Path(word)
    if path.suffix in (".yaml", ".yml", ".json") or path.is_file():
        return read_spec_file(path)
    name, at, prefix = word.rpartition("@")
    saved = store.rewards.specs() if store is not None else ()
    if store is not None and (at or len(word) >= PREFIX_LEAST):
        hits = [row for row in saved if row.version.startswith(prefix) and (not at or row.name == name)]
        if len(prefix) >= PREFIX_LEAST and len(hits) == 1:
            return parse_spec(store.rewards.spec(hits[0].version), source=f"saved specification {word}")
        if len(hits) > 1 and at:
            raise BadInputError(f"{word} fits {len(hits)} saved specifications; give more digits of the version")
    named = [row for row in saved if row.name == word]
    if store is not None and named:
        newest = max(named, key=lambda row: row.created_at)
        return parse_spec(store.rewards.spec(newest.version), source=f"saved specification {word}")
    library = library_specs()
    if word in library:
        return read_spec_file(library[word])
    known = sorted({row.name for row in saved} | set(library))
    raise NotFoundError(f"no specification {word!r}: no such file, and the names known are {', '.join(known)}")


def find_targets(store: Store, spec: RewardSpec, word: str = "") -> TargetsTable | None:
    """The table that `word` names, else the one the specification names, else the only one in the store.

    None where the specification needs none. Raises where there is none, or several and nothing says which, and where
    the table counts other sites than a term does.
    """
    if not needs_targets(spec):
        return None
    wanted = (word or spec.targets).removeprefix(TARGETS_PREFIX)
    saved = store.rewards.targets_list()
    if not wanted:
        if len(saved) != 1:
            found = _unchosen(spec, saved)
            raise BadInputError(f"specification {spec.name} names no targets and the store holds {found}")
        wanted = saved[0].version
    hits = [row for row in saved if row.version.startswith(wanted)]
    if len(hits) != 1:
        raise NotFoundError(
            f"targets {wanted!r} fit {len(hits)} of {len(saved)} saved tables; `workbench targets list` shows them"
        )
    table = table_of(store, hits[0].version)
    _check_counts(spec, table)
    return table


def _unchosen(spec: RewardSpec, saved: Sequence[TargetsRow]) -> str:
    """What is there instead of one table, and the command that settles it."""
    if not saved:
        return "no table of targets; build one with `workbench targets build --run RUN`"
    newest, *_ = saved
    listed = "; ".join(f"{row.version} from {', '.join(row.meta['runs'])}" for row in saved)
    return (
        f"{len(saved)} tables of targets ({listed}); choose one: add `--targets {newest.version}` for the newest to "
        f"this command, or pin it with `workbench reward new --from {spec.name} --targets {newest.version}`"
    )


def table_of(store: Store, version: str) -> TargetsTable:
    """A saved table with what made it."""
    meta = next(row.meta for row in store.rewards.targets_list() if row.version == version)
    return TargetsTable(
        targets=store.rewards.targets(version),
        counts=meta["counts"],
        runs=tuple(meta["runs"]),
        left_out=tuple(meta["left_out"]),
    )


def find_grader(store: Store, word: str) -> GraderSummary:
    """The version of the grader whose grades are G, by `name` or `name@` and the beginning of a version.

    A rubric's name means its judge (`deep-research-report/MODEL`) where one model alone has judged by it. Raises where
    it gave no grade, or several versions did, and for an independent judge, of which no reward may be made.
    """
    name = word.partition("@")[0]
    used = _fitting(store, word)
    if len(used) == 1:
        check_trainable(store, known(store, used[0].name, used[0].version))
        return used[0]
    if not used:
        raise NotFoundError(f"the store holds no grade by {word}; run `workbench grade --grader {name} --run RUN`")
    choices = ", ".join(f"{g.name}@{g.version[:8]} ({g.n_scored} scored)" for g in used)
    raise BadInputError(f"{len(used)} versions of grader {name} gave grades; name one in the specification: {choices}")


def exact(grader: GraderSummary) -> str:
    """The word that means this version of a grader and no other."""
    return f"{grader.name}@{grader.version}"


def save(store: Store, spec: RewardSpec, *, round_id: str | None = None) -> str:
    """Saves the specification under its name and gives its version; saved twice it stays one.

    Raises BadInputError where its quality grader can only mean an independent judge.
    """
    from workbench.reward.core.spec import spec_to_json

    _refuse_independent(store, spec)
    version = spec_version(spec)
    store.rewards.save_spec(spec_to_json(spec), version, name=spec.name, round_id=round_id)
    return version


def _refuse_independent(store: Store, spec: RewardSpec) -> None:
    """A specification may be saved before its grader has graded; one that means an independent judge may not."""
    try:
        find_grader(store, spec.quality_grader)
    except NotFoundError:
        return
    except BadInputError:
        fitting = _fitting(store, spec.quality_grader)
        if len(fitting) == 1:
            raise


def _fitting(store: Store, word: str) -> list[GraderSummary]:
    """Versions with grades that the word can mean."""
    name, _, prefix = word.partition("@")
    return [
        g
        for g in store.grades.graders()
        if g.version.startswith(prefix)
        and (g.name == name or g.name.startswith(f"{name}/"))
        and g.n_scored + g.n_abstained + g.n_failed
    ]


def _check_counts(spec: RewardSpec, table: TargetsTable) -> None:
    wrong: Sequence[str] = [
        term.counts
        for term in spec.terms
        if term.name == "distinct_sites" and term.target == "per_question" and term.counts != table.counts
    ]
    if wrong:
        raise BadInputError(
            f"term distinct_sites counts sites {wrong[0]} and targets {table.version} count sites {table.counts}; "
            f"build them alike: `workbench targets build --counts {wrong[0]} --run RUN`"
        )
