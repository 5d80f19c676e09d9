"""Writers that live above the graders' layer: the command line knows them and hands them down."""

from collections.abc import Mapping

from graders.writer_registry import WriterFactory


def extra_writers() -> Mapping[str, WriterFactory]:
    """`frozen`, the rule-based writer of the simulated web, and `scripted-NAME`, the same in the manner of an agent."""
    from benchmarks.simulated_web.agents import SAMPLE
    from benchmarks.simulated_web.agents.writer import PLAIN, Manner
    from benchmarks.simulated_web.frozen_writer import FrozenWriter

    def made(name: str, manner: Manner) -> WriterFactory:
        # A run says which world it was made in; a rollout of a trainer need not say it again.
        return lambda store: FrozenWriter({run.name: run.meta for run in store.runs.list()}, manner=manner, name=name)

    return {"frozen": made("frozen", PLAIN)} | {a.model: made(a.model, a.manner) for a in SAMPLE.values()}
