"""From a trajectory to what a writer is given: its evidence in a budget, every document accounted for."""

from collections import Counter
from dataclasses import replace

from workbench.evidence import EvidencePack, pack
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Trajectory
from workbench.schema.writing import WritingCase


def writing_case(trajectory: Trajectory, evidence_chars: int) -> WritingCase:
    """The case of a trajectory for a writer with so much room; without room the evidence is left to the writer.

    What is packed is chosen for the question alone: the agent's own report has no say in what another writer reads.
    """
    if evidence_chars <= 0:
        return WritingCase(trajectory.question, trajectory)
    packed = pack(replace(trajectory, report=""), evidence_chars, query=trajectory.question)
    shown = sorted((*packed.kept, *packed.shortened), key=lambda item: item.document.number)
    addresses = {item.document.number: item.document.url or "" for item in shown}
    return WritingCase(trajectory.question, trajectory, packed.text, addresses, _account(packed))


def _account(packed: EvidencePack) -> dict[str, JsonValue]:
    """Every document of the run, by number, in exactly one place."""
    return {
        "budget_chars": packed.budget_chars,
        "chars": len(packed.text),
        "documents": packed.n_documents,
        "kept": [item.document.number for item in packed.kept],
        "shortened": [item.document.number for item in packed.shortened],
        "left_out": [
            {"number": item.document.number, "reason": item.reason, **({"of": item.of} if item.of else {})}
            for item in packed.left_out
        ],
        "left_out_by_reason": dict(sorted(Counter(item.reason for item in packed.left_out).items())),
    }
