"""An agent outside the project's process researches in the simulated web over HTTP, and gold judges what it wrote."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from benchmarks.simulated_web.face import MAX_BODY_BYTES, build_face
from benchmarks.simulated_web.gold import GoldGrader
from benchmarks.simulated_web.outside import IDLE_S
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.world import World
from workbench.schema.grade import GradingCase
from workbench.store import Store, TrajectoryFilter, open_store

# Knows nothing but the address: standard library alone, as any outside agent may be.
AGENT = """
import json, re, sys, urllib.request
base = sys.argv[1]
def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data), timeout=20) as reply:
        return json.load(reply)
for question in ask("/questions")[:3]:
    episode = ask("/episodes", {"question": question["id"], "run": "outside-agent"})["episode"]
    ask(f"/episodes/{episode}/say", {"text": "Plan: search, read, write."})
    found = ask(f"/episodes/{episode}/call", {"name": "search", "arguments": {"query": question["text"]}})
    lines, urls = [], re.findall(r"URL: (\\S+)", found["text"])
    for number, url in enumerate(urls[:3], 1):
        page = ask(f"/episodes/{episode}/call", {"name": "open_page", "arguments": {"url": url}})
        lines += [f"{line} [{number}]" for line in page["text"].split(". ")[1:4] if "|" not in line]
    sources = "\\n".join(f"[{n}] {url}" for n, url in enumerate(urls[:3], 1))
    report = "# Report\\n\\n" + ". ".join(lines) + ".\\n\\n## Sources\\n\\n" + sources
    print(ask(f"/episodes/{episode}/finish", {"report": report})["trajectory"])
"""


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'face.db'}") as opened:
        yield opened


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def client(world: World, questions: tuple[Question, ...], kept: Store, clock: list[float]) -> TestClient:
    face = build_face(world, questions, kept, run="outside", now=lambda: clock[0])
    return TestClient(face, base_url="http://localhost")


def started(client: TestClient, question: Question, **more: object) -> str:
    reply = client.post("/episodes", json={"question": question.id, **more})
    assert reply.status_code == 201
    return str(reply.json()["episode"])


def test_agent_in_another_process_leaves_trajectories_that_gold_can_judge(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'outside.db'}"
    command = [sys.executable, "-m", "workbench", "--store", url, "world", "serve", "--port", "0", "--questions", "5"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        said = server.stderr.readline()
        address = re.search(r"http://\S+:\d+", said)
        assert address is not None, said
        agent = [sys.executable, "-I", "-c", AGENT, address.group()]
        ids = subprocess.run(agent, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    finally:
        server.terminate()
        server.wait(timeout=20)
    with open_store(url) as opened:
        assert set(ids) == set(opened.trajectories.ids(TrajectoryFilter(run="outside-agent"))) and len(ids) == 3
        for identifier in ids:
            trajectory = opened.trajectories.get(identifier)
            grade = GoldGrader().grade_now(GradingCase(trajectory.question, trajectory.report, trajectory))
            assert grade.outcome == "scored"
            row = opened.trajectories.row(identifier)
            cited = {name for name, n in row.citations_by_retrieval.items() if n}
            assert row.activity.queries == 1 and cited <= {"opened"}


def test_what_is_served_tells_nothing_of_the_truth(client: TestClient, world: World) -> None:
    told = client.get("/").text + client.get("/questions").text
    assert str(world.hash) not in told and '"seed"' not in told
    assert set(client.get("/questions").json()[0]) == {"id", "text"}


def test_calls_are_counted_and_recorded_as_the_tools_answer_them(
    client: TestClient, questions: tuple[Question, ...], kept: Store
) -> None:
    episode = started(client, questions[1], calls=2, run="r")
    first = client.post(f"/episodes/{episode}/call", json={"name": "search", "arguments": {"query": "dam"}}).json()
    assert first["calls_left"] == 1 and not first["is_error"] and "URL: " in first["text"]
    wrong = client.post(f"/episodes/{episode}/call", json={"name": "fetch", "arguments": {}}).json()
    assert wrong["is_error"] and "there is no tool" in wrong["text"]
    spent = client.post(f"/episodes/{episode}/call", json={"name": "search", "arguments": {"query": "dam"}}).json()
    assert spent["is_error"] and "used up" in spent["text"]
    done = client.post(f"/episodes/{episode}/finish", json={"report": "# None found"}).json()
    steps = kept.trajectories.get(done["trajectory"]).steps
    assert [call.name for step in steps for call in step.tool_calls] == ["search", "fetch", "search"]


def test_finish_twice_is_one_trajectory_and_the_next_episode_the_next_attempt(
    client: TestClient, questions: tuple[Question, ...], kept: Store
) -> None:
    for attempt in range(2):
        episode = started(client, questions[2])
        answers = [client.post(f"/episodes/{episode}/finish", json={"report": "# Same"}).json() for _ in range(2)]
        assert answers[0] == answers[1] and answers[0]["attempt"] == attempt
    assert kept.runs.get("outside").n == 2
    late = client.post(f"/episodes/{episode}/call", json={"name": "search", "arguments": {"query": "dam"}})
    assert late.status_code == 409 and "finished" in late.json()["error"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/episodes", b"{", 422),
        ("POST", "/episodes", b'{"question": 7}', 422),
        ("POST", "/episodes", b'{"question": "q-nothing"}', 404),
        ("POST", "/episodes/none/finish", b"{}", 404),
        ("POST", "/episodes", b" " * (MAX_BODY_BYTES + 1), 413),
        ("GET", "/search?q=dam&top_k=nine", None, 422),
        ("GET", "/episodes", None, 405),
        ("GET", "/nothing", None, 404),
    ],
)
def test_bad_requests_get_a_sentence_or_a_plain_refusal(
    client: TestClient, method: str, path: str, body: bytes | None, status: int
) -> None:
    assert client.request(method, path, content=body).status_code == status


def test_tools_answer_without_an_episode_and_record_nothing(client: TestClient, world: World, kept: Store) -> None:
    page = world.pages[0]
    found: Any = client.get("/search", params={"q": page.title, "top_k": 50}).json()
    assert page.url in found["text"]
    assert page.text in client.get("/open", params={"url": page.url}).json()["text"]
    assert client.get("/open", params={"url": "https://nowhere.example"}).json()["is_error"]
    assert kept.runs.list() == ()


def test_episode_left_alone_for_an_hour_is_gone(
    client: TestClient, questions: tuple[Question, ...], clock: list[float]
) -> None:
    left = started(client, questions[0])
    clock[0] = IDLE_S + 1
    started(client, questions[0])
    assert client.post(f"/episodes/{left}/say", content=json.dumps({"text": "still here"})).status_code == 404


def test_another_name_for_this_machine_is_refused(client: TestClient) -> None:
    assert client.get("/questions", headers={"host": "rebound.example"}).status_code == 400


def test_every_setting_of_the_tools_is_there_over_http(
    client: TestClient, world: World, questions: tuple[Question, ...]
) -> None:
    name = world.graph.entities[20].name
    episode = started(client, questions[1], tools={"typos": True}, tokens=3000)

    def called(tool: str, **arguments: object) -> Any:
        return client.post(f"/episodes/{episode}/call", json={"name": tool, "arguments": arguments}).json()

    slip = name.replace(name[3], "", 1)
    found = called("search", query=slip, page=2)
    assert "read as" in found["text"] and "\n6. " in found["text"] and found["tokens_left"] < 3000
    url = re.findall(r"URL: (\S+)", found["text"])[0]
    called("open_page", url=url)
    passage = called("find_in_page", url=url, text=world.graph.entities[20].root)
    assert not passage["is_error"]
    assert client.get("/find", params={"url": url, "text": "xyzzy"}).json()["text"].endswith(f"is not on {url}.")
    paged = client.get("/search", params={"q": name, "page": 2}).json()["text"]
    assert "\n6. " in paged


def test_faults_of_every_kind_are_asked_for_over_http(client: TestClient, questions: tuple[Question, ...]) -> None:
    shown = {}
    for kind in ("timeout", "empty", "changed"):
        episode = started(client, questions[1], faults={kind: 100})
        body = {"name": "search", "arguments": {"query": "dam"}}
        shown[kind] = client.post(f"/episodes/{episode}/call", json=body).json()["text"]
    assert "timed out" in shown["timeout"] and "No page" in shown["empty"] and shown["changed"].startswith("{")
    refused = client.post("/episodes", json={"question": questions[1].id, "faults": {"empty": 101}})
    assert refused.status_code == 422 and "faults.empty" in refused.json()["error"]
