"""Series of agent runs with planted deficits of research and of writing, and their true effects measured by gold.

    plant(seed) -> PlantedSeries
    write_series(series, folder, truth_path, salt=...)
    python -m tests.diagnosis_study.planting TRUTH.json FOLDER      # makes a series again from its opened truth

A series has its own world and questions, one reference run and 45 agent runs named run-01.. in an order drawn from the
seed. Which run has which deficit is in the truth alone, whose hash is published before anyone runs the diagnosis.
"""

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.simulated_web.agents.research import Researcher
from benchmarks.simulated_web.gold import judge_report
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import World, generate_world
from tests.diagnosis_study.designs import Design, designs_of
from tests.diagnosis_study.mechanisms import (
    REFERENCE,
    STRONG,
    Writing,
    factor,
    report_of,
    research,
    scaled_search,
    scaled_writing,
)
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Trajectory, trajectory_to_json

QUESTIONS = 26
ROLLOUTS = 20  # per question and run, for the true effects; the reference has three times as many
NEGLIGIBLE = 0.03  # a true effect below this on gold's scale of [0, 1] is practically none


@dataclass(frozen=True, slots=True)
class Effect:
    """A true mean drop of gold, with the standard error of its measurement; `exact` where it is nil by construction."""

    drop: float
    error: float
    exact: bool = False

    @property
    def negligible(self) -> bool:
        return self.drop < NEGLIGIBLE

    @property
    def borderline(self) -> bool:
        """Whether its measurement leaves open on which side of the limit it lies."""
        return abs(self.drop - NEGLIGIBLE) < 2 * self.error


@dataclass(frozen=True, slots=True)
class RunTruth:
    """`research`: what its evidence costs at the reference writer. `writing`: what its writing costs on its own
    evidence; below zero where it writes better than the reference."""

    run: str
    design: Design
    research: Effect
    writing: Effect

    @property
    def label(self) -> str:
        """none, research, writing or both, by the true effects."""
        worse = (not self.research.negligible, not self.writing.negligible)
        return {(False, False): "none", (True, False): "research", (False, True): "writing", (True, True): "both"}[
            worse
        ]


@dataclass(frozen=True, slots=True)
class PlantedSeries:
    seed: int
    world: World
    questions: tuple[Question, ...]
    reference: tuple[Trajectory, ...]
    runs: dict[str, tuple[Trajectory, ...]]
    truth: tuple[RunTruth, ...]
    reference_gold: float


def plant(seed: int, *, questions: int = QUESTIONS, rollouts: int = ROLLOUTS) -> PlantedSeries:
    """The series of a seed: the same on every machine. About three minutes on one core, most of it for the truth."""
    world = generate_world(_derived(seed, "world"))
    asked = make_questions(world, questions, _derived(seed, "questions"))
    bench = _Bench(seed, world, asked)
    designs = Rng("planted order", seed).shuffled(designs_of(seed))
    names = [f"run-{number:02d}" for number in range(1, len(designs) + 1)]
    base = bench.reference(3 * rollouts)
    truth = tuple(bench.truth(name, design, base, rollouts) for name, design in zip(names, designs, strict=True))
    return PlantedSeries(
        seed=seed,
        world=world,
        questions=asked,
        reference=bench.trajectories("reference", Design("none", "")),
        runs={name: bench.trajectories(name, design) for name, design in zip(names, designs, strict=True)},
        truth=truth,
        reference_gold=fmean(base),
    )


def _derived(seed: int, label: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{label}/{seed}".encode()).digest()[:4], "big") >> 1


class _Bench:
    """Runs designs on the questions of one series."""

    def __init__(self, seed: int, world: World, questions: Sequence[Question]) -> None:
        self.seed, self.world, self.questions = seed, world, questions

    def trajectories(self, run: str, design: Design) -> tuple[Trajectory, ...]:
        out = []
        for question in self.questions:
            name = f"{self.seed}/{run}/shown"
            found, writing = self._hit(run, design, question, name)
            found.episode.finish(report_of(self.world, question, found, writing, name=name), reasoning="Writing it up.")
            out.append(found.episode.trajectory(run=run, model=run, group=f"{run}/{question.id}"))
        return tuple(out)

    def reference(self, rollouts: int) -> list[float]:
        """Mean gold of the reference by question."""
        return [mean[0] for mean in self._means("reference", Design("none", ""), rollouts)]

    def truth(self, run: str, design: Design, base: Sequence[float], rollouts: int) -> RunTruth:
        means = self._means(run, design, rollouts)
        lost = [reference - at_reference for reference, (at_reference, _, _, _) in zip(base, means, strict=True)]
        paired = [drop for _, _, drop, _ in means]
        research_error = fmean([variance for _, variance, _, _ in means]) * (1 + 1 / 3)
        writing_error = fmean([variance for _, _, _, variance in means])
        count = len(self.questions) * rollouts
        searched = Effect(fmean(lost), (research_error / count) ** 0.5)
        wrote = Effect(fmean(paired), (writing_error / count) ** 0.5)
        nil = Effect(0.0, 0.0, exact=True)
        return RunTruth(
            run, design, nil if design.searching == STRONG else searched, nil if design.writing == REFERENCE else wrote
        )

    def _means(self, run: str, design: Design, rollouts: int) -> list[tuple[float, float, float, float]]:
        """By question: gold at the reference writer, mean and variance; loss through writing, mean and variance."""
        out = []
        for question in self.questions:
            at_reference, drops = [], []
            for rollout in range(rollouts):
                name = f"{self.seed}/{run}/{rollout}"
                found, writing = self._hit(run, design, question, name)
                best = self._gold(question, found, REFERENCE, name)
                at_reference.append(best)
                drops.append(0.0 if writing == REFERENCE else best - self._gold(question, found, writing, name))
            out.append((fmean(at_reference), stdev(at_reference) ** 2, fmean(drops), stdev(drops) ** 2))
        return out

    def _hit(self, run: str, design: Design, question: Question, name: str) -> tuple[Researcher, Writing]:
        """The research of one rollout and how it is written up; how hard a question is hit belongs to the run."""
        rng = Rng("planted factors", self.seed, run, question.id)
        by_search, by_writing = factor(rng), factor(rng)
        found = research(self.world, question, scaled_search(design.searching, by_search), name=name)
        return found, scaled_writing(design.writing, by_writing)

    def _gold(self, question: Question, found: Researcher, writing: Writing, name: str) -> float:
        report = report_of(self.world, question, found, writing, name=name)
        return judge_report(self.world, question, report, found.episode.tools.opened).score


def write_series(series: PlantedSeries, folder: Path, truth_path: Path, *, salt: str) -> tuple[str, str]:
    """`trajectories.jsonl` in `folder` (native, reference first) and the truth; the SHA-256 of both files."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = folder / "trajectories.jsonl"
    with shown.open("w", encoding="utf-8") as file:
        for trajectory in (*series.reference, *(t for run in series.runs.values() for t in run)):
            file.write(json.dumps(trajectory_to_json(trajectory), sort_keys=True, ensure_ascii=False) + "\n")
    truth_path.write_text(json.dumps(truth_json(series, salt), sort_keys=True, indent=1) + "\n", encoding="utf-8")
    return file_hash(shown), file_hash(truth_path)


def truth_json(series: PlantedSeries, salt: str) -> dict[str, JsonValue]:
    return {
        "salt": salt,
        "seed": series.seed,
        "reference_gold": round(series.reference_gold, 6),
        "runs": [
            {
                "run": truth.run,
                "class": truth.label,
                "planted": truth.design.kind,
                "size": truth.design.size,
                "research": _effect_json(truth.research),
                "writing": _effect_json(truth.writing),
                "searching": asdict(truth.design.searching),
                "writes": asdict(truth.design.writing),
            }
            for truth in series.truth
        ],
    }


def _effect_json(effect: Effect) -> dict[str, JsonValue]:
    rounded = {"drop": round(effect.drop, 6), "error": round(effect.error, 6)}
    flags = {"exact": effect.exact, "practically_none": effect.negligible, "borderline": effect.borderline}
    return {**rounded, **flags}


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    opened = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    target = Path(sys.argv[2])
    hashes = write_series(plant(int(opened["seed"])), target, target / "truth.json", salt=str(opened["salt"]))
    print(*hashes, sep="\n")
