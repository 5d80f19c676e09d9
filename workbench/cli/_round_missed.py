"""`workbench rounds missed`: what people prefer and a grader does not see, and a rubric draft of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli._round_people import RoundName
from workbench.cli._terminal import line
from workbench.cli.context import emit, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.human.missed import Missed
    from workbench.stats.estimate import Measured


def missed(
    round: RoundName,
    grader: Annotated[str, typer.Option("--grader", help="Whose score is held equal.")],
    take: Annotated[str | None, typer.Option("--take", help="A candidate to make a criterion of.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --take: the rubric file to write.")] = None,
) -> None:
    """Show which criteria, style and habits of research go with verdicts beyond the grader's score."""
    from workbench.human.missed import missed_by, read_features
    from workbench.human.missed.drafts import draft_rubric, rubric_of
    from workbench.human.rounds import find_round
    from workbench.human.votes import counted_votes
    from workbench.stats.estimate import NotMeasured

    if (take is None) != (out is None):
        raise BadInputError("--take CANDIDATE goes with --out FILE: the draft has to be written somewhere")
    if out is not None and out.exists():
        raise BadInputError(f"{out} exists; name a file that does not")
    with store(create=False) as opened:
        found_round = find_round(opened, round)
        counted = counted_votes(opened, round_id=found_round.id)
        identities = [identity for pair in counted.shown if pair is not None for identity in pair]
        found = missed_by(counted.votes, counted.shown, read_features(opened, identities, grader))
        if isinstance(found, NotMeasured):
            raise BadInputError(f"not measured: {found.reason}")
        if take is not None and out is not None:
            named = [one for one in found.candidates if one.name == take]
            if not named:
                known = ", ".join(one.name for one in found.candidates[:12])
                raise BadInputError(f"no figure {take!r}; the first are {known}")
            draft = draft_rubric(opened, found_round, grader, named[0], rubric_of(opened, grader))
            out.write_text(draft.text(), encoding="utf-8")
    answer = {"round": found_round.id, **found.to_json(), "draft": None if out is None else str(out)}
    emit(answer, lambda console: _print(console, found, out))


def _print(console: Console, found: "Missed", out: Path | None) -> None:
    table = Table("figure", "kind", "points of preference", "the other candidates equal", "", box=None)
    for one in found.candidates[:20]:
        mark = "candidate" if one.beyond_chance else ""
        together = _points(one.together) if one.beyond_chance else ""
        table.add_row(line(one.name, 50), one.kind, _points(one.effect), together, mark)
    console.print(table)
    if len(found.candidates) > 20:
        console.print(f"20 of {len(found.candidates)} figures")
    console.print(
        f"{found.n} ballots ({found.n_without} without grades); one standard deviation more of the figure, the score "
        f"of {found.grader} equal; a candidate's interval stays off zero for all {len(found.candidates)} tried at once",
        soft_wrap=True,
        markup=False,
    )
    console.print(f"{found.grader} orders two reports as the rater did: {_share(found.agreement)}", markup=False)
    for name, share in found.dimensions.items():
        console.print(f"  {name}: {_share(share)}", markup=False)
    if out is not None:
        console.print(f"rubric draft in {out}", markup=False)


def _points(found: "Measured") -> str:
    from workbench.stats.estimate import Estimate

    if not isinstance(found, Estimate) or found.low is None or found.high is None:
        return "not measured"
    return f"{100 * found.value:+.0f} ({100 * found.low:+.0f} to {100 * found.high:+.0f})"


def _share(found: "Measured") -> str:
    from workbench.stats.estimate import Estimate

    if not isinstance(found, Estimate) or found.low is None or found.high is None:
        return "not measured"
    return f"{found.value:.0%} ({found.low:.0%} to {found.high:.0%}) of {found.n}"
