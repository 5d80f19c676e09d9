"""Every byte a rater's browser gets, searched for what would tell who wrote which report."""

from tests.workbench.human.conftest import Served
from tests.workbench.human.sample import RUNS
from tests.workbench.human.web.raw import Client


def secrets_of(served: Served) -> list[str]:
    store, round_ = served.opened.store, served.opened.round
    assignments = store.human.assignments(round_.id)
    trajectories = {side for one in assignments for side in (one.left, one.right)}
    words = [round_.id, round_.name, *round_.runs, *trajectories]
    for run in RUNS[:2]:
        words += [run.model, run.name.replace("_", "-"), run.model.replace("-", " ")]
    words += [one.question_id for one in assignments] + [one.rater for one in assignments]
    words += [store.trajectories.get(one).content_hash for one in trajectories]
    return words


def test_nothing_that_reaches_the_browser_names_run_model_or_trajectory(served: Served) -> None:
    client = Client(served)
    client.ask("GET", f"/r/{served.opened.invitations[0].token}")
    # The cookie is the rater's own secret, not the reports'.
    client.received.clear()
    client.token = served.opened.invitations[0].token
    client.ask("GET", "/")
    for name in ("rate.js", "form.js", "reading.js", "marks.js", "server.js", "rate.css", "icon.svg", "enter.js"):
        assert client.ask("GET", f"/static/{name}").status == 200
    desk = client.desk()
    shown = 0
    while desk["state"] == "pair":
        shown += 1
        client.ask("PUT", f"/api/drafts/{desk['assignment']}", {"reason": "so far"})
        desk = client.cast(desk["assignment"]).json["desk"]
        client.ask("POST", "/api/undo", {})
        desk = client.cast(client.desk()["assignment"], key=f"second-try-{shown}").json["desk"]
    client.ask("POST", "/api/ballots", {}, Idempotency_Key="0123456789")
    client.ask("GET", "/nowhere")
    assert shown == 4
    everything = b"\n".join(client.received).decode().casefold()
    assert "[model]" in everything  # the sample's reports do name themselves
    assert [word for word in secrets_of(served) if word.casefold() in everything] == []
    assert "example" not in everything and "utm_source" not in everything  # hosts of their links


def test_sides_of_both_systems_look_alike_outside_the_prose(served: Served) -> None:
    """The frame around the two texts is the same whichever system stands left: same keys, same tags, same order."""
    client = Client(served, served.opened.invitations[0].token)
    shapes = set()
    desk = client.desk()
    while desk["state"] == "pair":
        shapes.add(tuple(desk))
        assert desk["left"].count("<span") == desk["right"].count("<span")
        desk = client.cast(desk["assignment"]).json["desk"]
    assert len(shapes) == 1


def test_assignment_ids_tell_nothing_of_the_pair(served: Served) -> None:
    """Two raters meet the same pairs under unrelated ids, and no id repeats between rounds."""
    store = served.opened.store
    ids = [one.id for one in store.human.assignments(served.opened.round.id)]
    assert len(set(ids)) == 8
    assert all(len(one) == 18 and one.startswith("a-") for one in ids)
