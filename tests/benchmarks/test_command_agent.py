"""An agent that is a program of the user's own: what it does well is stored, and nothing it does badly is a crash."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.command_agent import CommandOptions, CommandReport, run_command
from benchmarks.simulated_web.gold import GoldGrader
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.recording import run_meta
from benchmarks.simulated_web.tools import Budget, Faults
from benchmarks.simulated_web.world import World, generate_world
from workbench.cli.main import main
from workbench.errors import BadInputError
from workbench.schema.grade import GradingCase
from workbench.schema.trajectory import Trajectory
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import JobStopped, NullJob

# The standard library alone, and nothing of this project: it knows what it is told.
PRELUDE = """
import json, os, re, sys, time, urllib.request
told = json.loads(sys.stdin.readline())
base = f"{os.environ['WORKBENCH_WORLD_URL']}/episodes/{os.environ['WORKBENCH_EPISODE']}"
def post(what, body):
    request = urllib.request.Request(f"{base}/{what}", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)
def call(name, **arguments):
    return post("call", {"name": name, "arguments": arguments})
"""
RESEARCHER = (
    PRELUDE
    + """
assert told["question"] == os.environ["WORKBENCH_QUESTION"] and len(told["tools"]) == 3
found = call("search", query=told["question"])
urls = re.findall(r"URL: (\\S+)", found["text"])[:3]
lines = []
for number, url in enumerate(urls, 1):
    text = call("open_page", url=url)["text"]
    lines += [f"{line} [{number}]." for line in text.split(". ")[1:4] if "|" not in line]
sources = "\\n".join(f"[{n}] {url}" for n, url in enumerate(urls, 1))
report = "# Report\\n\\n" + " ".join(lines) + "\\n\\n## Sources\\n\\n" + sources
"""
)
FINISHES = RESEARCHER + 'post("finish", {"report": report})'
WRITES = (
    RESEARCHER
    + """
messages = [{"role": "user", "content": told["question"]}]
for n, url in enumerate(urls):
    function = {"name": "open_page", "arguments": json.dumps({"url": url})}
    made = {"id": f"c{n}", "type": "function", "function": function}
    messages.append({"role": "assistant", "content": "", "tool_calls": [made]})
    messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": "text"})
messages.append({"role": "assistant", "content": report})
json.dump({"messages": messages}, open(os.environ["WORKBENCH_TRAJECTORY"], "w"))
"""
)
# Says that it opened what it never asked for.
LIES = WRITES.replace('call("open_page", url=url)["text"]', '""')


@pytest.fixture(scope="module")
def world() -> World:
    return generate_world(1)


@pytest.fixture(scope="module")
def asked(world: World) -> tuple[Question, ...]:
    return make_questions(world, 3, 7)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'command.db'}") as opened:
        yield opened


def ran(
    kept: Store, world: World, asked: tuple[Question, ...], code: str, folder: Path, *, n: int = 1, **more: object
) -> tuple[CommandReport, list[Trajectory]]:
    """The report, and the trajectories of the run, by question."""
    file = folder / "agent.py"
    file.write_text(code)
    options = CommandOptions(f"'{sys.executable}' -I '{file}'", **{"limit_s": 60.0, **more})  # type: ignore[arg-type]
    meta = run_meta(world, 7, len(asked), "a test")
    report = run_command(kept, world, asked[:n], options, run="mine", model="m", attempts=1, meta=meta, job=NullJob())
    ids = kept.trajectories.ids(TrajectoryFilter(run="mine"))
    return report, [kept.trajectories.get(identity) for identity in ids]


def test_a_program_researches_over_http_and_gold_can_judge_it(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    report, found = ran(kept, world, asked, FINISHES, tmp_path, n=3, concurrency=2)
    assert (report.made, report.found, report.failed) == (3, 0, 0)
    assert {t.question_id for t in found} == {q.id for q in asked}
    for trajectory in found:
        assert trajectory.outcome == "completed" and trajectory.attempt == 0
        assert (
            GoldGrader().grade_now(GradingCase(trajectory.question, trajectory.report, trajectory)).outcome == "scored"
        )
    again, _ = ran(kept, world, asked, "raise SystemExit(1)", tmp_path, n=3)
    assert (again.made, again.found) == (0, 3)
    assert kept.runs.get("mine").simulated


def test_a_file_that_it_writes_is_stored_if_it_opened_what_it_says(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    report, (trajectory,) = ran(kept, world, asked, WRITES, tmp_path)
    assert report.failed == 0 and trajectory.report.startswith("# Report") and trajectory.outcome == "completed"
    assert trajectory.question_id == asked[0].id and trajectory.run == "mine"
    assert sum(len(step.tool_calls) for step in trajectory.steps) == 3


def test_a_file_that_says_it_opened_what_it_did_not_is_refused(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    report, (trajectory,) = ran(kept, world, asked, LIES, tmp_path)
    assert report.failed == 1 and "did not open in this episode" in report.failures[0]["reason"]
    assert trajectory.outcome == "failed" and trajectory.report == ""
    # What it did over HTTP is there.
    assert [call.name for step in trajectory.steps for call in step.tool_calls] == ["search"]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise SystemExit(3)", "ended with code 3 and without a report"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with code -9"),
        ("print('\\x1b[31mred\\x1b[0m')", "without a report"),
        (PRELUDE + "open(os.environ['WORKBENCH_TRAJECTORY'], 'w').write('{')", "trajectory file is refused"),
        (PRELUDE + "open(os.environ['WORKBENCH_TRAJECTORY'], 'wb').write(b'[' * 300000)", "trajectory file is refused"),
        (PRELUDE + "os.symlink('/etc/hostname', os.environ['WORKBENCH_TRAJECTORY'])", "without a report"),
        (PRELUDE + "os.mkdir(os.environ['WORKBENCH_TRAJECTORY'])", "without a report"),
        (PRELUDE + "post('finish', {'outcome': 'failed'})", "said itself that it failed"),
    ],
)
def test_what_goes_wrong_in_a_program_is_a_failed_episode(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path, code: str, says: str
) -> None:
    report, (trajectory,) = ran(kept, world, asked, code, tmp_path)
    assert report.failed == 1 and says in report.failures[0]["reason"]
    assert trajectory.outcome == "failed" and trajectory.report == ""
    assert GoldGrader().grade_now(GradingCase(trajectory.question, "", trajectory)).score == 0.0


def test_output_without_end_fills_nothing_and_time_ends_the_whole_family(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    code = PRELUDE + (
        "import subprocess\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        f"open({str(tmp_path / 'child')!r}, 'w').write(str(child.pid))\n"
        "call('search', query='dam')\n"
        "while True: print('x' * 100000)\n"
    )
    report, (trajectory,) = ran(kept, world, asked, code, tmp_path, limit_s=6.0)
    assert "ran out of its 6 seconds" in report.failures[0]["reason"] and len(report.failures[0]["reason"]) < 500
    assert [call.name for step in trajectory.steps for call in step.tool_calls] == ["search"]
    child = int((tmp_path / "child").read_text())
    end = time.monotonic() + 30
    while time.monotonic() < end and _lives(child):
        time.sleep(0.1)
    assert not _lives(child)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_budget_faults_and_settings_reach_the_program(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    code = PRELUDE + "print(call('search', query='dam'), call('search', query='dam')); sys.exit(1)"
    report, (trajectory,) = ran(kept, world, asked, code, tmp_path, budget=Budget(calls=1), faults=Faults(timeout=100))
    texts = [result.text for step in trajectory.steps for result in step.tool_results]
    assert "timed out" in texts[0] and "used up" in texts[1] and report.failed == 1


def test_a_program_can_begin_nothing_of_its_own_and_is_not_told_where_the_store_is(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_STORE", "sqlite:///secret.db")
    code = PRELUDE + (
        "assert 'WORKBENCH_STORE' not in os.environ\n"
        "body = json.dumps({'question': %r, 'run': 'other'}).encode()\n"
        "try: urllib.request.urlopen(os.environ['WORKBENCH_WORLD_URL'] + '/episodes', body)\n"
        "except Exception as error: post('finish', {'report': f'# {error}'})\n"
    )
    report, (trajectory,) = ran(kept, world, asked, code % asked[1].id, tmp_path)
    assert report.failed == 0 and "404" in trajectory.report
    assert [run.name for run in kept.runs.list()] == ["mine"]


@pytest.mark.parametrize("command", ["", "no-such-program-here x", "'unclosed"])
def test_a_command_that_cannot_be_run_is_refused_before_anything_is_written(
    kept: Store, world: World, asked: tuple[Question, ...], command: str
) -> None:
    options = CommandOptions(command)
    with pytest.raises(BadInputError, match=r"no program|cannot be read"):
        run_command(kept, world, asked, options, run="mine", model="m", attempts=1, meta={}, job=NullJob())
    assert kept.runs.list() == ()


class StopSoon(NullJob):
    """A job that somebody stops a moment after it began."""

    def checkpoint(self) -> None:
        raise JobStopped


def test_a_stopped_run_ends_its_program_and_stores_nothing_of_it(
    kept: Store, world: World, asked: tuple[Question, ...], tmp_path: Path
) -> None:
    (tmp_path / "agent.py").write_text("import time; time.sleep(300)")
    options = CommandOptions(f"'{sys.executable}' -I '{tmp_path / 'agent.py'}'", limit_s=200)
    began = time.monotonic()
    with pytest.raises(JobStopped):
        run_command(kept, world, asked, options, run="mine", model="m", attempts=1, meta={}, job=StopSoon())
    assert time.monotonic() - began < 100 and not kept.trajectories.ids(TrajectoryFilter(run="mine"))


def test_the_verb_runs_a_program_and_ends_with_the_code_of_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "agent.py"
    verb = ["--store", f"sqlite:///{tmp_path / 'verb.db'}", "--json", "world", "run"]
    command = [*verb, "--command", f"{sys.executable} -I {file}", "--questions", "2", "--attempts", "1"]
    file.write_text(FINISHES)
    assert main([*command, "--recipe", "graph"]) == 0
    assert json.loads(capsys.readouterr().out)["made"] == 2
    file.write_text("raise SystemExit(1)")
    assert main([*command, "--run", "bad"]) == 3
    assert json.loads(capsys.readouterr().out)["failed"] == 2
    assert main(verb) == 2
    assert "either --agent" in capsys.readouterr().err
