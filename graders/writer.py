"""A model that writes a report from exactly the evidence that an agent collected, through the gateway."""

import asyncio
from dataclasses import dataclass

from graders.evidence_case import writing_case
from graders.faults import ContextOverflowError
from graders.gateway import Gateway
from graders.rubric_judge import short_model_name
from graders.usage import add_usage
from graders.writer_words import WRITER_PROMPT_VERSION, finish_report, messages_for, why_no_report
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage
from workbench.schema.protocols import ModelReply, ModelRequest, TransportError
from workbench.schema.writing import WriteOutcome, WritingCase, WrittenReport

EVIDENCE_CHARS = 240_000
REPORT_TOKENS = 8192
REPACKS = 4
MOST_DRAWS = 20
_DRAW_SEEDS = 100_000
SELF = "self"


@dataclass(frozen=True, slots=True)
class WriterOptions:
    """How a model is asked. `evidence_chars`: room for evidence, headers included; `max_tokens` of the report."""

    model: str
    base_url: str | None = None
    temperature: float = 0.0
    seed: int = 1
    max_tokens: int = REPORT_TOKENS
    evidence_chars: int = EVIDENCE_CHARS


class ModelWriter:
    """A ReportWriter. With the model `self` each trajectory's own model is asked, by the name the trajectory gives.

    A refusal, an empty reply and one that was cut off are `writer_failed`, never a report.
    """

    def __init__(self, options: WriterOptions, gateway: Gateway, *, kind: GraderKind = "llm") -> None:
        self.options = options
        self.gateway = gateway
        self.kind = kind
        self.name = f"writer/{short_model_name(options.model)}"
        self.evidence_chars = options.evidence_chars
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """Everything that decides the text."""
        options = self.options
        return {
            "prompt_version": WRITER_PROMPT_VERSION,
            "model": options.model,
            "base_url": options.base_url,
            "temperature": options.temperature,
            "seed": options.seed,
            "max_tokens": options.max_tokens,
            "evidence_chars": options.evidence_chars,
        }

    async def write(self, case: WritingCase) -> WrittenReport:
        """Raises GradingStoppedError (spend limit, key, no such model) and nothing else."""
        given = case
        model = case.trajectory.model if self.options.model == SELF else self.options.model
        if not model.strip():
            return self._failed(given, "writer_failed", "the trajectory does not say which model wrote it")
        overflow = ""
        for _ in range(REPACKS):
            try:
                reply, usage = await self._reply(model, case)
            except ContextOverflowError as error:
                overflow = str(error)
                room = int(0.7 * len(case.evidence))
                if room <= 0:
                    break
                case = await asyncio.to_thread(writing_case, case.trajectory, room)
                continue
            except TransportError as error:
                return self._failed(given, "infra_failed", str(error), Usage(cost_usd=None))
            bad = why_no_report(reply.text, reply.finish)
            if bad:
                return self._failed(given, "writer_failed", bad, usage)
            done = finish_report(reply.text, case.addresses)
            if not done.text.strip():
                return self._failed(given, "writer_failed", "the reply is a list of sources and nothing else", usage)
            detail: dict[str, JsonValue] = {
                **case.account,
                "model": model,
                "cited": list(done.cited),
                "unknown_numbers": list(done.unknown),
                "own_list_removed": done.own_list_removed,
            }
            # The hash of what was asked for, so that a second run finds it, however tight it had to be packed.
            return WrittenReport(
                self.name, self.version, given.case_hash, "written", done.text, usage=usage, detail=detail
            )
        reason = f"the evidence was packed {REPACKS} times and is still too long: {overflow}"
        return self._failed(given, "infra_failed", reason)

    async def _reply(self, model: str, case: WritingCase) -> tuple[ModelReply, Usage]:
        """The reply. A kept one that is no report made a rewrite fail before: trying again draws once more."""
        messages = await asyncio.to_thread(messages_for, case)
        options = self.options
        usages: list[Usage] = []
        for draw in range(MOST_DRAWS):
            request = ModelRequest(
                model=model,
                messages=messages,
                temperature=options.temperature,
                seed=options.seed + _DRAW_SEEDS * draw,
                max_tokens=options.max_tokens,
                base_url=options.base_url,
            )
            reply = await self.gateway.send(request)
            usages.append(reply.usage)
            if not reply.usage.cached or not why_no_report(reply.text, reply.finish):
                break
        return reply, add_usage(usages[-1:])

    def _failed(
        self, case: WritingCase, outcome: WriteOutcome, reason: str, usage: Usage | None = None
    ) -> WrittenReport:
        usage = Usage(cost_usd=0.0) if usage is None else usage
        return WrittenReport(
            self.name, self.version, case.case_hash, outcome, reason=reason, usage=usage, detail=dict(case.account)
        )
