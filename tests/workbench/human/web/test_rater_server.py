"""The rater server asked by hand for everything it must not give."""

from datetime import timedelta
from typing import Any

from tests.workbench.human.conftest import Served
from tests.workbench.human.web.raw import Client, raw_request
from tests.workbench.human.web.test_blindness import secrets_of
from workbench.human.rounds import close_round, invite, revoke
from workbench.human.web.security import HEADERS

PRIVATE = [
    ("GET", "/"),
    ("GET", "/api/desk"),
    ("POST", "/api/ballots"),
    ("POST", "/api/undo"),
    ("PUT", "/api/drafts/x"),
]


def rater(served: Served, number: int = 0) -> Client:
    return Client(served, served.opened.invitations[number].token)


def test_link_sets_a_strict_cookie_and_leaves_the_address(served: Served) -> None:
    token = served.opened.invitations[0].token
    answer = Client(served).ask("GET", f"/r/{token}")
    assert answer.status == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"rater={token};")
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert token.encode() not in answer.body
    assert b"/static/enter.js" in answer.body


def test_rater_sees_a_pair_and_votes(served: Served) -> None:
    client = rater(served)
    desk = client.desk()
    answer = client.cast(desk["assignment"])
    assert (answer.status, answer.json["outcome"]) == (200, "recorded")
    assert answer.json["desk"]["assignment"] != desk["assignment"]
    assert client.cast(desk["assignment"]).json["outcome"] == "already"
    assert len(served.opened.store.human.ballots(served.opened.round.id)) == 1
    assert client.ask("POST", "/api/undo", {}).json["undone"] is True
    assert client.desk()["assignment"] == desk["assignment"]


def test_draft_is_saved(served: Served) -> None:
    client = rater(served)
    assignment = client.desk()["assignment"]
    draft = {"verdict": "right", "scores": {"depth": [3, None]}, "reason": "so far", "seconds": 3.5}
    assert client.ask("PUT", f"/api/drafts/{assignment}", draft).status == 204
    assert client.desk()["draft"] == draft


def test_without_a_valid_token_there_is_nothing(served: Served) -> None:
    client = Client(served)
    for token in (None, "", "wrong", "x" * 5000, "a\u00e9"):
        headers = {} if token is None else {"Cookie": f"rater={token}"}
        for method, path in PRIVATE:
            answer = client.ask(method, path, {} if method != "GET" else None, Idempotency_Key="0123456789", **headers)
            assert answer.status == 403
            assert b"invitation" in answer.body
        assert client.ask("GET", f"/r/{(token or 'none').encode().hex()}").status == 403


def test_revoked_token_ends_at_the_next_request(served: Served) -> None:
    client = rater(served)
    assignment = client.desk()["assignment"]
    revoke(served.opened.store, served.opened.round.id, "rater-1")
    assert client.cast(assignment).status == 403
    assert client.ask("GET", "/api/desk").status == 403
    assert client.ask("GET", f"/r/{client.token}").status == 403


def test_expired_token_is_refused(served: Served) -> None:
    store, round_ = served.opened.store, served.opened.round
    late = invite(store, round_.id, "rater-1", expires_in=timedelta(microseconds=1))
    assert Client(served, late.token).ask("GET", "/api/desk").status == 403


def test_closed_round_gives_no_pair_and_takes_no_ballot(served: Served) -> None:
    client = rater(served)
    assignment = client.desk()["assignment"]
    close_round(served.opened.store, served.opened.round.id)
    assert client.desk() == {"state": "closed"}
    for answer in (
        client.cast(assignment),
        client.ask("POST", "/api/undo", {}),
        client.ask("PUT", f"/api/drafts/{assignment}", {}),
    ):
        assert answer.status == 409
        assert "closed" in answer.json["error"]
    assert served.opened.store.human.ballots(served.opened.round.id) == ()


def test_another_raters_assignment_answers_like_one_that_does_not_exist(served: Served) -> None:
    first, second = rater(served), rater(served, 1)
    theirs = second.desk()["assignment"]
    for wanted in (theirs, "a-nowhere", "../api/desk", "' OR 1=1 --"):
        answer = first.cast(wanted)
        assert answer.status == 404
        assert answer.json == {"error": "this pair is not on your list. Reload the page to see the one that is"}
    assert first.ask("PUT", f"/api/drafts/{theirs}", {}).status == 404
    assert served.opened.store.human.ballots(served.opened.round.id) == ()
    assert second.desk()["draft"] is None


NO_ROUTES = [
    "/api", "/api/", "/api/rounds", "/api/ballots", "/api/ballots/1", "/api/votes", "/api/runs",
    "/api/trajectories", "/api/desk/", "/rounds", "/ratings", "/static", "/static/", "/static/rate.html",
    "/static/..", "/docs", "/openapi.json", "/healthz", "/_stcore/health", "/robots.txt", "/favicon.ico", "/r",
    "/r/", "/r/a/b", "/workbench.db", "/.env",
]  # fmt: skip


def test_other_routes_do_not_exist(served: Served) -> None:
    for path in NO_ROUTES:
        answer = rater(served).ask("GET", path)
        assert answer.status in (403, 404, 405), path
        assert len(answer.body) < 1500


TRAVERSALS = [
    "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/....//app.py",
    "/../../etc/passwd", "/static//etc/passwd", "/static/%00rate.css", "/static/..\\app.py",
    "//static/../../../etc/passwd", "/r/../api/desk", "/static/rate.css/../../app.py",
]  # fmt: skip


def test_path_traversal_finds_nothing(served: Served) -> None:
    token = served.opened.invitations[0].token
    for path in TRAVERSALS:
        request = f"GET {path} HTTP/1.1\r\nHost: h\r\nCookie: rater={token}\r\nConnection: close\r\n\r\n"
        answer = raw_request(served, request.encode())
        assert answer.split(b" ", 2)[1] in (b"400", b"403", b"404"), path
        assert b"root:" not in answer and b"import" not in answer


def test_other_methods_are_refused(served: Served) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"):
        for path in ("/", "/api/desk", "/static/rate.css"):
            assert rater(served).ask(method, path).status in (400, 404, 405)


SOCKETS = [
    "/",
    "/api/desk",
    "/ws",
    "/_stcore/stream",
    "/socket.io/?EIO=4&transport=websocket",
    "/api/ballots",
    "/r/{token}",
]


def test_no_websocket_opens_with_a_token_and_nothing_comes_back_on_it(served: Served) -> None:
    """Not on the routes there are, nor where other servers have theirs; frames sent along are not answered either."""
    token = served.opened.invitations[0].token
    frame = bytes([0x81, 0x85, 1, 2, 3, 4]) + bytes(
        a ^ b for a, b in zip(b"hello", b"\x01\x02\x03\x04\x01", strict=True)
    )
    for path in SOCKETS:
        for protocol in ("", "Sec-WebSocket-Protocol: streamlit\r\n"):
            request = (
                f"GET {path.format(token=token)} HTTP/1.1\r\nHost: h\r\nCookie: rater={token}\r\n"
                f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n{protocol}"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            answer = raw_request(served, request.encode() + frame)
            assert b" 101 " not in answer.split(b"\r\n")[0], path
            everything = answer.decode("utf-8", "replace").casefold()
            assert [word for word in secrets_of(served) if word.casefold() in everything] == [], path


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://elsewhere.example"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Content_Type": "text/plain"},
    {"Content_Type": "application/x-www-form-urlencoded"},
]


def test_write_from_another_site_is_refused(served: Served) -> None:
    for headers in FOREIGN:
        answer = rater(served).ask("POST", "/api/undo", {}, **headers)
        assert (answer.status, answer.json) == (403, {"error": "this request does not come from the rating page"})


NO_BALLOTS: list[dict[str, Any]] = [
    {"verdict": "model_a"},
    {"verdict": None},
    {"scores": {"depth": [6, 1], "readability": [1, 1]}},
    {"scores": {"depth": [1], "readability": [1, 1]}},
    {"scores": {"depth": [True, 1], "readability": [1, 1]}},
    {"scores": {}},
    {"seconds": -1},
    {"seconds": 1e300},
    {"reason": "x" * 20_001},
    {"rater": "rater-2"},
    {"round_id": "other"},
]


def test_ballot_that_is_none_is_refused_with_a_sentence(served: Served) -> None:
    client = rater(served)
    assignment = client.desk()["assignment"]
    for changes in NO_BALLOTS:
        answer = client.cast(assignment, **changes)
        assert answer.status == 422, changes
        assert len(answer.json["error"]) > 10
    assert served.opened.store.human.ballots(served.opened.round.id) == ()


def test_body_that_is_no_json_or_far_too_long_is_refused(served: Served) -> None:
    client = rater(served)
    assert client.ask("POST", "/api/ballots", b"{", Idempotency_Key="0123456789").status == 422
    assert client.ask("POST", "/api/ballots", b'{"assignment": "\xff"}', Idempotency_Key="0123456789").status == 422
    assert client.ask("POST", "/api/ballots", b" " * 300_000, Idempotency_Key="0123456789").status == 413


def test_ballot_without_a_key_is_refused(served: Served) -> None:
    assert rater(served).cast("a-1", key="short").status == 422


def test_every_answer_carries_the_headers(served: Served) -> None:
    client = rater(served)
    for path in ("/", "/api/desk", "/static/rate.css", "/nowhere", f"/r/{client.token}", "/r/wrong"):
        headers = client.ask("GET", path).headers
        for name, value in HEADERS.items():
            assert headers[name] == value
        assert "server" not in headers
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy and "data:" not in policy
