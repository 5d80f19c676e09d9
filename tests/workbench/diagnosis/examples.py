"""A diagnosis written by hand, with every kind of figure in it."""

from workbench.diagnosis.report import DiagnosisReport, Failure, Maker, Packing, Part
from workbench.diagnosis.swap_report import Cell, HarnessLoss, Split, SwapTable
from workbench.stats.estimate import Estimate, NotMeasured


def figure(value: float, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, low, high, 40, "t over question means", n_clusters=20)


def example_report() -> DiagnosisReport:
    gap = figure(0.15, 0.11, 0.19)
    return DiagnosisReport(
        run="a",
        reference="b",
        reference_score=None,
        writer=Maker("writer/large", "w1", "llm"),
        grader=Maker("gold", "g1", "gold"),
        n=40,
        n_chosen=42,
        n_questions=20,
        own=figure(0.58, 0.5, 0.66),
        rewritten=figure(0.73, 0.7, 0.76),
        gap=gap,
        reference_rewritten=figure(0.74),
        parts={
            "writing": Part("writing", gap, True, "shown", 0.0001, 0.0002, 0.12, 0.975, 0.06),
            "research": Part("research", NotMeasured("no question is shared"), False, "not measured"),
        },
        verdict="writing_limited",
        reason="a better writer gains 0.150 from the same evidence",
        least_effect=0.02,
        alpha=0.05,
        failures=(Failure("a", "rewrite", "writer_failed", 2, "t-0", "the reply was cut off"),),
        packing=Packing(30, 4, {"budget": 3}, 1),
        harness_loss=NotMeasured("the writer is another model"),
        rerun_noise=None,
        cost_usd=None,
        simulated=True,
        swap=SwapTable(
            ("a", "b"),
            ("wa", "wb"),
            (Cell("a", "wb", figure(0.7), 1),),
            (Split("a", "wa", "b", "wb", gap, figure(0.1), figure(0.05), figure(0.0), 0.01, 0.9),),
            (HarnessLoss("a", "wa", figure(0.01)),),
        ),
    )
