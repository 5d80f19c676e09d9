"""The people of a round on the terminal: how far each can be relied on, new links, links that end."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli._terminal import line
from workbench.cli.context import emit, note, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.human.rounds import Invitation
    from workbench.stats.estimate import Measured
    from workbench.store import Store

DEFAULT_URL = "http://127.0.0.1:8600"
Url = Annotated[str, typer.Option("--url", help="Where raters reach the rater server.")]
Days = Annotated[float, typer.Option("--expires-days", min=0.001, help="How long a link works.")]
RoundName = Annotated[str, typer.Argument(metavar="ROUND", help="Id or name of the round.")]


def raters(round: RoundName) -> None:
    """Show how far each rater can be relied on: pace, sides, checks, repeats, agreement, influence, warnings."""
    from workbench.human.quality import round_quality
    from workbench.human.rounds import find_round

    with store(create=False) as opened:
        found = find_round(opened, round)
        rows = round_quality(opened, found.id)

    def human(console: Console) -> None:
        heads = ("rater", "ballots", "pace", "takes left", "checks", "repeats", "like others", "influence")
        table = Table(*heads, box=None)
        for one in rows:
            pace = "-" if one.median_seconds is None else f"{one.median_seconds:.0f} s"
            shares = (one.left_share, one.attention, one.repeats, one.with_others)
            moved = "-" if one.influence is None else f"{one.influence.points:+.0f} {line(one.influence.model, 20)}"
            table.add_row(line(one.rater, 30), str(one.n), pace, *(_share(share) for share in shares), moved)
        console.print(table)
        for one in rows:
            for text in one.warnings:
                console.print(f"! {line(one.rater, 30)}: {text}", markup=False)
        if found.state == "open":
            console.print("influence names models, so it is shown once the round is closed")

    emit({"round": found.id, "raters": [one.to_json() for one in rows]}, human)


def _share(found: "Measured") -> str:
    from workbench.stats.estimate import Estimate

    return f"{found.value:.0%} of {found.n}" if isinstance(found, Estimate) else "-"


def invite(
    round: RoundName,
    rater: Annotated[str, typer.Argument(metavar="RATER", help="A rater of the round.")],
    url: Url = DEFAULT_URL,
    expires_days: Days = 14,
) -> None:
    """Give a rater a new link in place of a lost, expired or revoked one."""
    from workbench.human.rounds import find_round
    from workbench.human.rounds import invite as invite_rater

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        _known(opened, round_id, rater)
        invitation = invite_rater(opened, round_id, rater, expires_in=timedelta(days=expires_days))
    emit(invitation_json(invitation, url), lambda console: console.print(link(invitation, url), soft_wrap=True))
    note("the link is shown this once; an earlier one no longer works")


def revoke(round: RoundName, rater: Annotated[str, typer.Argument(metavar="RATER", help="Whose link ends.")]) -> None:
    """Make a rater's link stop working at once. Ballots already cast stay."""
    from workbench.human.rounds import find_round
    from workbench.human.rounds import revoke as revoke_rater

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        revoke_rater(opened, round_id, rater)
    emit({"round": round_id, "rater": rater, "revoked": True}, lambda console: console.print(f"{rater}: link revoked"))


def _known(opened: "Store", round_id: str, rater: str) -> None:
    names = [row.rater for row in opened.human.raters(round_id)]
    if rater not in names:
        raise BadInputError(f"round {round_id} has no rater {rater!r}; its raters are {', '.join(names)}")


def link(invitation: "Invitation", url: str) -> str:
    from workbench.human.rounds import link_of

    return link_of(invitation, url)


def invitation_json(invitation: "Invitation", url: str) -> dict[str, object]:
    return {"rater": invitation.rater, "link": link(invitation, url), "expires_at": invitation.expires_at}
