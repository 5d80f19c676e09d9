"""What must hold before a reward leaves for training: its grader was attacked, people agree, the copy computes alike.

A gate is `passed`, `failed` or `not_measured`. Only gates that the specification asks for can refuse an export; golden
parity is measured always.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workbench.errors import BadInputError
from workbench.export.grader import CarriedGrader
from workbench.reward.people import Preference, agreement
from workbench.reward.score import RunScore
from workbench.schema.canonical import JsonValue
from workbench.schema.reward import RewardSpec
from workbench.stats.estimate import NotMeasured
from workbench.store import Store

GateState: TypeAlias = Literal["passed", "failed", "not_measured"]
GATES = ("stress", "agreement", "golden")
SEED = 20261110
_KEYS = {"stress": "stress", "agreement": "agreement_low", "golden": "golden"}


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate. `required` is what the specification asks for, None where it asks for nothing."""

    name: str
    state: GateState
    required: JsonValue
    found: str

    @property
    def holds(self) -> bool:
        return self.required is None or self.state == "passed"

    def to_json(self) -> dict[str, JsonValue]:
        return {"state": self.state, "required": self.required, "found": self.found}


def stress_gate(store: Store, spec: RewardSpec, grader: CarriedGrader) -> Gate:
    """Passed where every stress report on this version of the grader found no hole that it could have seen."""
    required = spec.gates.get("stress")
    verdicts: dict[str, str] = {
        report.run: str(report.report.get("verdict"))
        for report in store.stress.reports()
        if report.grader_version == grader.version
    }
    if not verdicts:
        return Gate("stress", "not_measured", required, f"no stress report on grader {_shown(grader)}")
    told = "; ".join(f"{verdict} on run {run}" for run, verdict in sorted(verdicts.items()))
    if "holes_found" in verdicts.values():
        return Gate("stress", "failed", required, told)
    if set(verdicts.values()) == {"none_found"}:
        return Gate("stress", "passed", required, told)
    return Gate("stress", "not_measured", required, told)


def agreement_gate(spec: RewardSpec, score: RunScore, preferences: Sequence[Preference]) -> Gate:
    """Passed where the lower end of the reward's agreement with people reaches the number that is asked for."""
    required = spec.gates.get("agreement_low")
    least = float(required) if isinstance(required, int | float) else 0.0
    value_by_id = {
        id_: float(value)
        for id_, value, scored in zip(score.rollouts.ids, score.rewards.value, score.rewards.scored, strict=True)
        if scored
    }
    measured = agreement(value_by_id, preferences, seed=SEED)
    if isinstance(measured, NotMeasured):
        return Gate("agreement", "not_measured", required, measured.reason)
    if measured.low is None:
        return Gate("agreement", "not_measured", required, f"{measured.text()}: too few questions for an interval")
    state: GateState = "passed" if measured.low >= least else "failed"
    return Gate("agreement", state, required, f"{measured.text()} of people's preferences are ordered alike")


def golden_gate(spec: RewardSpec, n_rows: int, wrong: Sequence[str]) -> Gate:
    """Passed where every golden row came out exact through the folder's own code."""
    required = spec.gates.get("golden")
    if not n_rows:
        return Gate("golden", "not_measured", required, "the store holds no rollout that this grader has scored")
    if wrong:
        shown = "; ".join(wrong[:5])
        return Gate("golden", "failed", required, f"{len(wrong)} differences in {n_rows} rows, the first: {shown}")
    return Gate("golden", "passed", required, f"{n_rows} of {n_rows} rows exact")


def refuse_unless_they_hold(gates: Sequence[Gate], force: str | None) -> None:
    """Raises BadInputError naming every gate that does not hold, unless `force` gives a reason to export anyway.

    No reason exports a folder that computes another reward than the one shown here.
    """
    broken = [gate for gate in gates if gate.name == "golden" and gate.state == "failed"]
    if broken:
        raise BadInputError(
            f"not exported: the frozen code gives other rewards than this store: {broken[0].found}. If its analyses or "
            "grades were made by older rules, run `workbench phases` and `workbench grade` again"
        )
    closed = [gate for gate in gates if not gate.holds]
    if not closed or force:
        return
    told = "; ".join(f"{gate.name} is {gate.state} ({gate.found}), required {gate.required}" for gate in closed)
    raise BadInputError(f"not exported, {len(closed)} of {len(gates)} gates do not hold: {told}. {_remedy(closed)}")


def gates_to_json(gates: Sequence[Gate]) -> Mapping[str, JsonValue]:
    """By name, as the manifest holds them."""
    return {gate.name: gate.to_json() for gate in gates}


def _shown(grader: CarriedGrader) -> str:
    return f"{grader.name}@{grader.version[:8]}" if grader.version else f"{grader.name}, which has no grades here"


def _remedy(closed: Sequence[Gate]) -> str:
    remedies = {
        ("stress", "not_measured"): "run `workbench stress --grader GRADER --run RUN`",
        ("stress", "failed"): "close the grader's holes, which `workbench stress` shows",
        ("agreement", "not_measured"): "collect ballots on these runs and close their round",
        ("agreement", "failed"): "weigh the reward as people do, or choose another grader",
        ("golden", "not_measured"): "grade a run by this grader",
    }
    steps = ", ".join(remedies[gate.name, gate.state] for gate in closed)
    return f"To open them: {steps}; or export with --force REASON, which the manifest will carry"
