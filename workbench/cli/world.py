"""`workbench world`: the simulated web as a place where scripted agents run and outside agents come by HTTP."""

from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

import typer

from workbench.cli._world_asked import (
    QUESTION_SEED,
    SEED,
    GatedOption,
    MannerName,
    Questions,
    QuestionSeed,
    RecipeName,
    RecipeOption,
    Seed,
    ask_world,
)
from workbench.cli._world_command import ToolLimits, run_programs
from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError, MissingExtraError

# What fits into the context that the local model is served with.
_SMALL: dict[str, int] = {"result_chars": 1200, "notes": 6, "max_tokens": 256, "report_tokens": 400, "turns": 6}


def register(app: typer.Typer) -> None:
    world = typer.Typer(help="The simulated web, with known truth.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(world, name="world")
    world.command("agents")(agents)
    world.command("run")(run)
    world.command("questions")(questions_)
    world.command("ask")(ask)
    world.command("serve")(serve)


def agents() -> None:
    """List the scripted agents, and the ways to research and to write that any other one joins."""
    from benchmarks.sample.plan import SamplePlan
    from benchmarks.simulated_web.agents import AGENTS
    from benchmarks.simulated_web.agents.scripted import RESEARCH
    from benchmarks.simulated_web.agents.styles import STYLES

    answer = {
        "agents": list(AGENTS),
        "of_the_sample_store": list(SamplePlan().agents),
        "research": list(RESEARCH),
        "writing": list(STYLES),
    }

    def human(console: Any) -> None:
        console.print(f"agents: {', '.join(AGENTS)}")
        console.print(f"or RESEARCH+WRITING, of {', '.join(RESEARCH)}")
        console.print(f"and {', '.join(STYLES)}")

    emit(answer, human)


def questions_(
    questions: Questions = 40,
    seed: Seed = SEED,
    question_seed: QuestionSeed = QUESTION_SEED,
    manner: MannerName = "plain",
    recipe: RecipeOption = RecipeName.plain,
    gated: GatedOption = False,
) -> None:
    """List questions of a world with what a full answer states, where that stands and the least research."""
    asked = ask_world(questions, seed=seed, question_seed=question_seed, manner=manner, recipe=recipe, gated=gated)
    rows = [
        {
            "id": q.id,
            "text": q.text,
            "kind": q.kind,
            "required": [fact.part for fact in q.required],
            "least_calls": q.least_calls,
            "least": asdict(q.least) if q.least else None,
        }
        for q in asked.questions
    ]
    answer: dict[str, Any] = {"questions": rows, "drawn": asked.drawn, "dropped": asked.dropped or {}}

    def human(console: Any) -> None:
        for row in rows:
            console.print(f"{row['id']} ({row['kind']}, {row['least_calls']} calls at the least)\n  {row['text']}")
        if gated:
            dropped = ", ".join(f"{n} {why}" for why, n in (asked.dropped or {}).items()) or "none"
            console.print(f"{asked.drawn} drawn; dropped: {dropped}")

    emit(answer, human)


def run(
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="A scripted agent or RESEARCH+WRITING; repeatable.")
    ] = None,
    command: Annotated[
        str | None, typer.Option("--command", help="Your own program instead, started once for each episode.")
    ] = None,
    questions: Questions = 40,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts at each question.")] = 4,
    seed: Seed = SEED,
    question_seed: QuestionSeed = QUESTION_SEED,
    manner: MannerName = "plain",
    recipe: RecipeOption = RecipeName.plain,
    gated: GatedOption = False,
    run: Annotated[str, typer.Option(help="With --command: run to fill.")] = "outside",
    model: Annotated[str, typer.Option(help="With --command: model of the run.")] = "outside-agent",
    limit: Annotated[float, typer.Option(min=0.1, help="With --command: seconds an episode may take.")] = 600.0,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="With --command: episodes at once.")] = 1,
    calls: Annotated[int, typer.Option(min=1, help="With --command: tool calls of an episode.")] = 40,
    top_k: Annotated[int, typer.Option(min=1, max=50, help="With --command: results of a search.")] = 5,
    tokens: Annotated[int | None, typer.Option(min=1, help="With --command: tokens that tools may answer.")] = None,
    timeouts: Annotated[int, typer.Option(min=0, max=100, help="With --command: percent of calls.")] = 0,
    forbidden: Annotated[int, typer.Option(min=0, max=100, help="With --command: percent of pages (403).")] = 0,
    empty: Annotated[int, typer.Option(min=0, max=100, help="With --command: percent of calls.")] = 0,
    changed: Annotated[int, typer.Option(min=0, max=100, help="With --command: percent in another format.")] = 0,
    typos: Annotated[bool, typer.Option("--typos", help="With --command: search puts slips right.")] = False,
    authority: Annotated[int, typer.Option(min=0, max=200, help="With --command: percent for known sites.")] = 0,
    cache: Annotated[bool, typer.Option("--cache", help="With --command: kept answers cannot fail.")] = False,
) -> None:
    """Run scripted agents or a program of your own on questions of a world; what the store holds is not run again."""
    if bool(agent) == bool(command):
        raise BadInputError("say who is to run: either --agent, as often as you like, or --command")
    if command:
        limits = ToolLimits(calls, top_k, tokens, None, timeouts, forbidden, empty, changed, typos, authority, cache)
        run_programs(
            ask_world(questions, seed=seed, question_seed=question_seed, manner=manner, recipe=recipe, gated=gated),
            command,
            run=run,
            model=model,
            attempts=attempts,
            limit_s=limit,
            concurrency=concurrency,
            limits=limits,
            check=_check_world,
        )
        return
    from benchmarks.simulated_web.agents import agent_named
    from benchmarks.simulated_web.recording import add_runs

    names = list(dict.fromkeys(agent or ()))
    runs = [agent_named(name).run for name in names]
    asked = ask_world(questions, seed=seed, question_seed=question_seed, manner=manner, recipe=recipe, gated=gated)
    meta = asked.run_meta("scripted agents of the simulated web")
    with store() as opened:
        for name in runs:
            _check_world(opened, name, meta)
        with job(opened, "rollouts") as handle:
            made = add_runs(
                opened, asked.world, names, asked.questions, attempts=attempts, seed=seed, meta=meta, job=handle
            )
            total = len(names) * len(asked.questions) * attempts
            answer: dict[str, Any] = {"runs": runs, "imported": made, "trajectories": total}
            handle.finish(answer)
    emit(answer, lambda console: console.print(f"{made} new of {total} in {', '.join(runs)}"))


def _check_world(opened: Any, name: str, meta: dict[str, Any]) -> None:
    """A run is of one world: gold could not tell which question belongs to which."""
    there = next((found for found in opened.runs.list() if found.name == name), None)
    if there is not None and there.n and there.meta.get("world") != meta["world"]:
        raise BadInputError(
            f"run {name} is there and of another world; use its --seed and --manner, another store, or another agent's "
            "name"
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
    recipe: RecipeOption = RecipeName.plain,
    gated: GatedOption = False,
    turns: Annotated[int, typer.Option(min=1, help="Turns before it has to write.")] = 24,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="0 makes attempts alike.")] = 0.0,
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes at once.")] = 4,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars; stops before they are passed.")] = None,
) -> None:
    """Let a model research and write in a plain ReAct loop. What was asked already is not asked again."""
    from benchmarks.agents import ReActAgent, ReActOptions
    from benchmarks.asking import ask_model
    from graders.gateway import GatewayOptions
    from graders.registry import wire_to
    from graders.rubric_judge import short_model_name

    asked = ask_world(questions, seed=seed, question_seed=question_seed, manner=manner, recipe=recipe, gated=gated)
    meta = asked.run_meta("a model in a plain ReAct loop")
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
                asked.world,
                agent,
                asked.questions,
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
    recipe: RecipeOption = RecipeName.plain,
    gated: GatedOption = False,
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

    asked = ask_world(questions, seed=seed, question_seed=question_seed, manner=manner, recipe=recipe, gated=gated)
    with store() as opened:
        listener = bind(host, port)
        shown = f"[{host}]" if ":" in host else host
        where = f"http://{shown}:{listener.getsockname()[1]}"
        note(f"simulated web on {where}, {len(asked.questions)} questions; Ctrl+C stops it")
        known = ("127.0.0.1", "localhost", "[::1]", shown)
        face = build_face(asked.world, asked.questions, opened, run=run, hosts=known)
        config = uvicorn.Config(face, access_log=False, log_level="warning", server_header=False)
        # Ctrl+C is how it is stopped, and no failure.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
