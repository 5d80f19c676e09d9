"""`workbench world`: the simulated web as a place where scripted agents run and outside agents come by HTTP."""

from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

import typer

from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError, MissingExtraError

SEED = 1
QUESTION_SEED = 1001
# What fits into the context that the local model is served with.
_SMALL: dict[str, int] = {"result_chars": 1200, "notes": 6, "max_tokens": 256, "report_tokens": 400, "turns": 6}
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the world.")]
QuestionSeed = Annotated[int, typer.Option("--question-seed", min=0, help="Seed of the questions.")]
MannerName = Annotated[str, typer.Option("--manner", help="How hard its pages are to read: plain, mixed or hard.")]
Questions = Annotated[int, typer.Option("--questions", min=1, help="How many questions.")]


def register(app: typer.Typer) -> None:
    world = typer.Typer(help="The simulated web, with known truth.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(world, name="world")
    world.command("agents")(agents)
    world.command("run")(run)
    world.command("ask")(ask)
    world.command("serve")(serve)


def agents() -> None:
    """List the scripted agents, and the ways to research and to write that any other one joins."""
    from benchmarks.simulated_web.agents import AGENTS, SAMPLE
    from benchmarks.simulated_web.agents.scripted import RESEARCH
    from benchmarks.simulated_web.agents.styles import STYLES

    answer = {
        "agents": list(AGENTS),
        "of_the_sample_store": list(SAMPLE),
        "research": list(RESEARCH),
        "writing": list(STYLES),
    }

    def human(console: Any) -> None:
        console.print(f"agents: {', '.join(AGENTS)}")
        console.print(f"or RESEARCH+WRITING, of {', '.join(RESEARCH)}")
        console.print(f"and {', '.join(STYLES)}")

    emit(answer, human)


def run(
    agent: Annotated[list[str], typer.Option("--agent", help="A scripted agent or RESEARCH+WRITING; repeatable.")],
    questions: Questions = 40,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts at each question.")] = 4,
    seed: Seed = SEED,
    question_seed: QuestionSeed = QUESTION_SEED,
    manner: MannerName = "plain",
) -> None:
    """Run scripted agents on questions of a world; what the store holds already is not run again."""
    from benchmarks.simulated_web.agents import agent_named
    from benchmarks.simulated_web.manner import manner_named
    from benchmarks.simulated_web.questions import make_questions
    from benchmarks.simulated_web.recording import add_runs, run_meta
    from benchmarks.simulated_web.world import generate_world

    names = list(dict.fromkeys(agent))
    runs = [agent_named(name).run for name in names]
    world = generate_world(seed, manner=manner_named(manner))
    asked = make_questions(world, questions, question_seed)
    meta = run_meta(world, question_seed, questions, "scripted agents of the simulated web")
    with store() as opened:
        for name in runs:
            _check_world(opened, name, meta)
        with job(opened, "rollouts") as handle:
            made = add_runs(opened, world, names, asked, attempts=attempts, seed=seed, meta=meta, job=handle)
            total = len(names) * len(asked) * attempts
            answer: dict[str, Any] = {"runs": runs, "imported": made, "trajectories": total}
            handle.finish(answer)
    emit(answer, lambda console: console.print(f"{made} new of {total} in {', '.join(runs)}"))


def _check_world(opened: Any, name: str, meta: dict[str, Any]) -> None:
    """A run is of one world: gold could not tell which question belongs to which."""
    there = next((found for found in opened.runs.list() if found.name == name), None)
    if there is not None and there.n and there.meta.get("world") != meta["world"]:
        raise BadInputError(
            f"run {name} is there and of another world; use its --seed and --manner, another store, or another agent's name"
        )


def ask(
    model: Annotated[str, typer.Option(help="Model that researches, as litellm names it, or `local`.")],
    run: Annotated[str | None, typer.Option(help="Run to fill; without it `react-` and the model.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint that serves --model.")] = None,
    questions: Questions = 40,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts at each question.")] = 1,
    seed: Seed = SEED,
    question_seed: QuestionSeed = QUESTION_SEED,
    manner: MannerName = "plain",
    turns: Annotated[int, typer.Option(min=1, help="Turns before it has to write.")] = 24,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="0 makes attempts alike.")] = 0.0,
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes at once.")] = 4,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars; stops before they are passed.")] = None,
) -> None:
    """Let a model research and write in a plain ReAct loop. What was asked already is not asked again."""
    from benchmarks.agents import ReActAgent, ReActOptions
    from benchmarks.asking import ask_model
    from benchmarks.simulated_web.manner import manner_named
    from benchmarks.simulated_web.questions import make_questions
    from benchmarks.simulated_web.recording import run_meta
    from benchmarks.simulated_web.world import generate_world
    from graders.gateway import GatewayOptions
    from graders.registry import wire_to
    from graders.rubric_judge import short_model_name

    world = generate_world(seed, manner=manner_named(manner))
    asked = make_questions(world, questions, question_seed)
    meta = run_meta(world, question_seed, questions, "a model in a plain ReAct loop")
    with store() as opened:
        options = GatewayOptions(concurrency=concurrency, spend_limit_usd=spend_limit)
        # The same model, gateway and limits by which it would read a rubric.
        asking, gateway, kind = wire_to(opened, model=model, base_url=base_url, options=options)
        local = kind == "local_model"
        room = {"turns": turns} | (_SMALL if local else {})
        chosen = ReActOptions(asking.model, asking.base_url, temperature=temperature, **room)
        name = run or f"react-{short_model_name(asking.model)}"
        _check_world(opened, name, meta)
        agent = ReActAgent(chosen, gateway)
        with job(opened, "rollouts") as handle:
            report = ask_model(
                opened,
                world,
                agent,
                asked,
                run=name,
                attempts=attempts,
                meta=meta,
                concurrency=1 if local else concurrency,
                job=handle,
            )
            answer: dict[str, Any] = {"run": name, **asdict(report), "failures": list(report.failures)}
            handle.finish(answer)

    def human(console: Any) -> None:
        console.print(f"{report.made} episodes run, {report.found} found, {report.lost} lost their model, in {name}")
        for failure in report.failures:
            console.print(f"  {failure['question']} attempt {failure['attempt']}: {failure['reason']}")
        if report.stopped:
            console.print(f"stopped with {report.left} left: {report.stopped}")

    emit(answer, human)
    finish(failed=report.lost + report.left)


def serve(
    questions: Questions = 40,
    seed: Seed = SEED,
    question_seed: QuestionSeed = QUESTION_SEED,
    manner: MannerName = "plain",
    run: Annotated[str, typer.Option(help="Run of finished episodes, where an agent names none.")] = "outside",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8700,
) -> None:
    """Serve a world's tools over HTTP until stopped: any agent can research in it, and its rollouts are stored."""
    try:
        import uvicorn

        from benchmarks.simulated_web.face import build_face
        from workbench.human.web.server import bind
    except ImportError as error:
        raise MissingExtraError(f"the server needs {error.name}; install it with: pip install -e '.[app]'") from None
    from benchmarks.simulated_web.manner import manner_named
    from benchmarks.simulated_web.questions import make_questions
    from benchmarks.simulated_web.world import generate_world

    world = generate_world(seed, manner=manner_named(manner))
    asked = make_questions(world, questions, question_seed)
    with store() as opened:
        listener = bind(host, port)
        shown = f"[{host}]" if ":" in host else host
        note(f"simulated web on http://{shown}:{listener.getsockname()[1]}, {len(asked)} questions; Ctrl+C stops it")
        known = ("127.0.0.1", "localhost", "[::1]", shown)
        face = build_face(world, asked, opened, run=run, hosts=known)
        config = uvicorn.Config(face, access_log=False, log_level="warning", server_header=False)
        # Ctrl+C is how it is stopped, and no failure.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
