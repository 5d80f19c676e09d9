"""The start that runs share: a tokenizer of one world, and a policy fine-tuned on scripted research in it.

It is made once, at first use, and kept beside the training runs under the hash of all that decides it.
"""

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.ontology import relations
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.world import World
from training.checkpoint import write_atomically
from training.config import SftConfig, TrainConfig
from training.curation import keep_sound
from training.data import Example, replay
from training.environments import Surroundings
from training.grammar import Grammar
from training.model import build_model
from training.notes import Reader
from training.report import WRITER
from training.sft import fine_tune
from training.tokenizer import Tokenizer, build_tokenizer, read_tokenizer
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash

# Raised whenever the views, the grammar or the data would give other tokens for the same trajectory.
VIEWS = 1
QUESTION_SEED = 1701
VOCABULARY_QUESTIONS = 400


@dataclass(frozen=True)
class Start:
    """`model` is the policy after SFT; `facts` what is to be known of how it was made (seconds, losses, sizes)."""

    version: str
    around: Surroundings
    grammar: Grammar
    model: Any
    facts: dict[str, JsonValue]
    made_now: bool


def ready_start(
    world: World,
    config: TrainConfig,
    folder: Path,
    *,
    own_report: bool,
    held_out: Sequence[Question],
    may_make: bool = True,
    on_step: Callable[[int, float], None] | None = None,
) -> Start:
    """The start for this world and configuration, from `folder` if it is kept there, else made and kept.

    `held_out` are the questions of reinforcement learning: scripted answers to them are not shown. Raises
    BadInputError for a kept start that was altered, and where there is none and none may be made.
    """
    version = _version(world, config, own_report, held_out)
    home = folder / version
    if (home / "start.json").exists():
        return _read(home, version, world, config, own_report)
    if not may_make:
        raise BadInputError(f"there is no start {version} under {folder}: make it with --stage sft, or use recipe")
    around = Surroundings(world, tokenizer_for(world), Reader(world.graph), own_report, config.max_turns)
    grammar = Grammar(around.tokenizer, own_report)
    examples = scripted_examples(around, grammar, config.sft, exclude=frozenset(q.id for q in held_out))
    model = build_model(config.model, len(around.tokenizer.vocabulary), seed=config.sft.seed)
    paths = [example.path for example in examples]
    result = fine_tune(model, grammar, paths, config.sft, seed=config.sft.seed, on_step=on_step)
    facts: dict[str, JsonValue] = {
        "version": version,
        "world": world.hash,
        "examples": len(examples),
        "seconds": round(result.seconds, 2),
        "first_loss": result.losses[0],
        "last_loss": sum(result.losses[-10:]) / len(result.losses[-10:]),
        "sft": asdict(config.sft),
    }
    _keep(home, around.tokenizer, model, facts)
    return Start(version, around, grammar, model, facts, made_now=True)


def tokenizer_for(world: World) -> Tokenizer:
    """The words of a world: its questions, titles, relations and sites; no names."""
    questions = make_questions(world, VOCABULARY_QUESTIONS, QUESTION_SEED)
    language = [
        word
        for relation in relations().values()
        for word in (relation.noun, relation.key.split(".")[1], *relation.categories)
    ]
    roots = frozenset(entity.root.lower() for entity in world.graph.entities)
    titles = [page.title for page in world.pages]
    return build_tokenizer(
        [*titles, *(question.text for question in questions)],
        always=language,
        never=roots,
        sites=[site.host for site in world.sites],
    )


def scripted_examples(
    around: Surroundings, grammar: Grammar, config: SftConfig, *, exclude: frozenset[str]
) -> list[Example]:
    """Trajectories of the scripted agents named in `config`, in turn over new questions, curated and replayed."""
    questions = make_questions(around.world, config.questions, QUESTION_SEED, exclude=exclude)
    pairs = [
        (question, run_agent(agent, around.world, question, seed=config.seed, attempt=0))
        for i, question in enumerate(questions)
        for agent in (config.agents[i % len(config.agents)],)
    ]
    sound = keep_sound([trajectory for _, trajectory in pairs])
    return [replay(around, grammar, question, trajectory) for question, trajectory in pairs if trajectory.id in sound]


def _version(world: World, config: TrainConfig, own_report: bool, held_out: Sequence[Question]) -> str:
    made_from: dict[str, JsonValue] = {
        "views": VIEWS,
        "writer": WRITER,
        "world": world.hash,
        "sft": asdict(config.sft),
        "model": asdict(config.model),
        "max_turns": config.max_turns,
        "own_report": own_report,
        "held_out": sorted(question.id for question in held_out),
    }
    return content_hash(made_from)[:16]


def _keep(home: Path, tokenizer: Tokenizer, model: Any, facts: dict[str, JsonValue]) -> None:
    """`start.json` last: where it stands, the rest stands."""
    import torch

    home.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    write_atomically(home / "model.pt", buffer.getvalue())
    write_atomically(home / "tokenizer.json", tokenizer.to_json().encode())
    write_atomically(home / "start.json", json.dumps(facts, indent=2).encode())


def _read(home: Path, version: str, world: World, config: TrainConfig, own_report: bool) -> Start:
    import torch

    facts: dict[str, JsonValue] = json.loads((home / "start.json").read_text())
    if facts.get("version") != version:
        raise BadInputError(f"{home} says version {facts.get('version')!r}, expected {version!r}; remove the folder")
    tokenizer = read_tokenizer((home / "tokenizer.json").read_text(), source=str(home / "tokenizer.json"))
    around = Surroundings(world, tokenizer, Reader(world.graph), own_report, config.max_turns)
    model = build_model(config.model, len(tokenizer.vocabulary), seed=config.sft.seed)
    model.load_state_dict(torch.load(home / "model.pt", weights_only=True))
    return Start(version, around, Grammar(tokenizer, own_report), model, facts, made_now=False)
