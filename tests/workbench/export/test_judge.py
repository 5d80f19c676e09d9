"""The judge's wire from inside a trainer, against a real HTTP server."""

from typing import Any

import pytest

from rubrics.judging.material import Material
from rubrics.judging.prompt import JudgeRequest, plan_requests
from rubrics.judging.rubric import Criterion, Rubric
from tests.workbench.export.judge_server import JudgeServer, completion, in_turn, serve
from workbench.export.runtime.judge import TRIES, HttpJudge, JudgeFailedError, judge_from_environment

KEY = "canary-key"
FINE = completion("fine", "length")


def request() -> JudgeRequest:
    rubric = Rubric("r", (Criterion("depth", "It explains causes."),))
    return plan_requests(rubric, Material("Why?", "Because.", "")).requests[0]


def judge(server: JudgeServer, waits: list[float] | None = None, **options: Any) -> HttpJudge:
    wait = (waits if waits is not None else []).append
    return HttpJudge(url=server.url, model="judge-1", key=KEY, timeout_s=5, wait=wait, **options)


def test_request_carries_model_messages_schema_and_key() -> None:
    with serve(in_turn(FINE)) as server:
        reply = judge(server, options={"seed": 7, "max_tokens": 99})(request())
        assert (reply.text, reply.finish) == ("fine", "length")
        path, headers, body = server.asked[0]
        assert path == "/v1/chat/completions"
        assert headers["Authorization"] == f"Bearer {KEY}"
        assert body["messages"] == [dict(message) for message in request().messages]
        assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("judge-1", 0, 7, 99)
        assert body["response_format"]["json_schema"]["schema"] == request().schema


def test_schema_can_be_left_out_for_servers_that_refuse_it() -> None:
    with serve(in_turn(FINE)) as server:
        judge(server, use_schema=False)(request())
        assert "response_format" not in server.asked[0][2]


def test_busy_server_is_asked_again_after_growing_waits() -> None:
    with serve(in_turn((429, "slow down"), (503, ""), (200, "not json"), FINE)) as server:
        waits: list[float] = []
        assert judge(server, waits)(request()).text == "fine"
        assert waits == [1.0, 2.0, 4.0]


def test_server_that_stays_down_is_a_typed_failure() -> None:
    with serve(in_turn((500, ""))) as server:
        with pytest.raises(JudgeFailedError, match=f"no reply in {TRIES} tries: HTTP 500"):
            judge(server)(request())
        assert len(server.asked) == TRIES


def test_refusal_is_not_asked_again() -> None:
    with serve(in_turn((401, ""))) as server:
        with pytest.raises(JudgeFailedError, match="refused the request: HTTP 401"):
            judge(server)(request())
        assert len(server.asked) == 1


def test_redirect_does_not_carry_the_key_away() -> None:
    with serve(in_turn((302, ""))) as server:
        with pytest.raises(JudgeFailedError, match="HTTP 302"):
            judge(server)(request())
        assert [path for path, _, _ in server.asked] == ["/v1/chat/completions"]


def test_nobody_listening_is_a_typed_failure() -> None:
    nobody = HttpJudge(url="http://127.0.0.1:9/v1", model="m", timeout_s=1, wait=lambda _: None)
    with pytest.raises(JudgeFailedError, match="no reply in"):
        nobody(request())


def test_key_is_shown_nowhere() -> None:
    with serve(in_turn((400, ""))) as server:
        with pytest.raises(JudgeFailedError) as caught:
            judge(server)(request())
        assert KEY not in str(caught.value)
        assert KEY not in repr(judge(server))


@pytest.mark.parametrize(
    "environ",
    [{}, {"REWARD_JUDGE_URL": "http://x/v1"}, {"REWARD_JUDGE_URL": "file:///etc", "REWARD_JUDGE_MODEL": "m"}],
)
def test_environment_that_names_no_judge_stops_the_run(environ: dict[str, str]) -> None:
    with pytest.raises(RuntimeError, match="this reward asks an LLM judge: set REWARD_JUDGE_URL"):
        judge_from_environment({}, environ)


def test_environment_names_the_judge() -> None:
    environ = {
        "REWARD_JUDGE_URL": "https://judge.test/v1",
        "REWARD_JUDGE_MODEL": "m",
        "REWARD_JUDGE_KEY": KEY,
        "REWARD_JUDGE_SCHEMA": "off",
    }
    found = judge_from_environment({"seed": 1}, environ)
    assert (found.url, found.model, found.key, found.use_schema) == ("https://judge.test/v1", "m", KEY, False)
    assert found.options == {"seed": 1}
