"""The wire to an LLM judge from inside a training worker, by the standard library's HTTP client.

The environment names the judge: REWARD_JUDGE_URL (base of an OpenAI-compatible API, ending in /v1), REWARD_JUDGE_MODEL,
REWARD_JUDGE_KEY (optional; read, sent, and never stored or shown), REWARD_JUDGE_TIMEOUT_S, REWARD_JUDGE_SCHEMA
(`off` for servers that refuse a JSON Schema).
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rubrics.judging.judge import RawReply
from rubrics.judging.prompt import JudgeRequest

URL, MODEL, KEY = "REWARD_JUDGE_URL", "REWARD_JUDGE_MODEL", "REWARD_JUDGE_KEY"
TRIES = 4
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 30.0
RETRIED_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class JudgeFailedError(Exception):
    """No reply came. The rollout it was for is dropped, never scored."""


class Judge(Protocol):
    """One request, one reply. Raises JudgeFailedError where no reply came."""

    def __call__(self, request: JudgeRequest) -> RawReply: ...


@dataclass(frozen=True, slots=True)
class HttpJudge:
    """An OpenAI-compatible endpoint; tries again after time-outs, rate limits and server errors.

    `options` go into each request as they stand (temperature, seed, max_tokens): those that graded in the workbench.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_s: float = 120.0
    use_schema: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    wait: Callable[[float], None] = time.sleep

    def __call__(self, request: JudgeRequest) -> RawReply:
        """Raises JudgeFailedError, with the last cause, after the last try."""
        body = json.dumps(self._body(request)).encode()
        cause = ""
        for attempt in range(TRIES):
            if attempt:
                self.wait(min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S))
            try:
                return _read(self._post(body))
            except urllib.error.HTTPError as error:
                cause = f"HTTP {error.code} {error.reason}"
                error.close()
                if error.code not in RETRIED_STATUS:
                    raise JudgeFailedError(f"judge {self.model} refused the request: {cause}") from None
            except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
                cause = f"{type(error).__name__}: {error}"
        raise JudgeFailedError(f"judge {self.model} gave no reply in {TRIES} tries: {cause}")

    def _body(self, request: JudgeRequest) -> dict[str, Any]:
        body: dict[str, Any] = {"temperature": 0, **self.options}
        body |= {"model": self.model, "messages": list(request.messages)}
        if self.use_schema:
            schema = {"name": "verdicts", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url.rstrip("/") + "/chat/completions", body, headers)
        # A redirect would carry the key to another host: the opener follows none.
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(request, timeout=self.timeout_s) as response:
            reply: bytes = response.read()
        return reply


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def judge_from_environment(options: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> HttpJudge:
    """The judge that the environment names. Raises RuntimeError where it names none: training must not start then."""
    url, model = environ.get(URL, ""), environ.get(MODEL, "")
    if urllib.parse.urlsplit(url).scheme not in ("http", "https") or not model:
        raise RuntimeError(
            f"this reward asks an LLM judge: set {URL} (found {url or 'nothing'!r}; expected the http(s) base address "
            f"of an OpenAI-compatible API) and {MODEL} (found {model or 'nothing'!r})"
        )
    return HttpJudge(
        url=url,
        model=model,
        key=environ.get(KEY, ""),
        timeout_s=float(environ.get("REWARD_JUDGE_TIMEOUT_S", "120")),
        use_schema=environ.get("REWARD_JUDGE_SCHEMA", "on") != "off",
        options=options,
    )


class RecordedJudge:
    """Replays replies in order: what golden rows hold. A record with `failure` fails as the wire did."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.failure: str = record.get("failure", "")
        replies: Sequence[Mapping[str, str]] = record.get("replies", ())
        self._left = [RawReply(reply["text"], reply.get("finish", "stop")) for reply in replies]

    def __call__(self, request: JudgeRequest) -> RawReply:  # noqa: ARG002
        if self.failure:
            raise JudgeFailedError(self.failure)
        if not self._left:
            raise JudgeFailedError("the golden row records fewer replies than the prompt has requests")
        return self._left.pop(0)


def _read(reply: bytes) -> RawReply:
    choice = json.loads(reply)["choices"][0]
    return RawReply(choice["message"].get("content") or "", choice.get("finish_reason") or "stop")
