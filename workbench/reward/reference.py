"""Reference runs of the store to targets, and targets to the store."""

from collections.abc import Sequence
from typing import cast

from workbench.errors import BadInputError, NotFoundError
from workbench.reward.targets import TargetsTable, build_targets, summarise
from workbench.schema.reward import SiteCount
from workbench.store import Store
from workbench.store.rows import TrajectoryFilter


def build_from_store(
    store: Store, runs: Sequence[str], *, counts: str = "opened", leave_out: Sequence[str] = ()
) -> TargetsTable:
    """Targets from the rollouts of `runs` without those of `leave_out`. Raises for unknown and for empty runs."""
    known = {run.name for run in store.runs.list()}
    for name in (*runs, *leave_out):
        if name not in known:
            raise NotFoundError(f"the store holds no run {name!r}; it holds {', '.join(sorted(known)) or 'none'}")
    references = {
        run: [facts for _, facts in store.trajectories.facts(TrajectoryFilter(run=run))]
        for run in dict.fromkeys(runs)
        if run not in leave_out
    }
    table = build_targets(references, counts=cast(SiteCount, counts), leave_out=leave_out)
    if not table.targets:
        raise BadInputError(
            f"runs {', '.join(runs)} leave no reference rollout"
            + (f" once {', '.join(leave_out)} is left out" if leave_out else "")
            + "; name runs that hold trajectories"
        )
    return table


def save_targets(store: Store, table: TargetsTable) -> bool:
    """Saves the table with what made it and its distribution; False where these very targets are there already."""
    summary = summarise(table)
    meta = {
        "counts": table.counts,
        "runs": list(table.runs),
        "left_out": list(table.left_out),
        "questions": summary.questions,
        "query_median": summary.query_median,
        "site_median": summary.site_median,
        "no_search_share": summary.no_search_share,
    }
    return store.rewards.save_targets(table.version, table.targets, meta=meta)
