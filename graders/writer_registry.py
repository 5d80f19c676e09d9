"""From the word after --writer to a writer."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from graders.callable import load_object
from graders.endpoint import check_base_url
from graders.gateway import Gateway, GatewayOptions
from graders.redact import redact
from graders.writer import EVIDENCE_CHARS, ModelWriter, WriterOptions
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage
from workbench.schema.protocols import ReportWriter
from workbench.schema.writing import WriteOutcome, WritingCase, WrittenReport
from workbench.store import Store

WriterFactory: TypeAlias = Callable[[Store], ReportWriter]


class CallableWriter:
    """A plain function `case -> report | None`, sync or async, as a ReportWriter. None is an abstention; an exception,
    an empty text or a value that is no text is a failure."""

    kind: GraderKind = "callable"
    evidence_chars = EVIDENCE_CHARS

    def __init__(self, function: Callable[[WritingCase], Any], *, name: str, definition: dict[str, JsonValue]) -> None:
        self._function = function
        self.name = name
        self.definition = definition
        self.version = content_hash(definition)

    async def write(self, case: WritingCase) -> WrittenReport:
        try:
            value = await asyncio.to_thread(self._function, case)
            if inspect.isawaitable(value):
                value = await value
        except Exception as error:
            return self._result(case, "writer_failed", f"{type(error).__name__}: {redact(str(error))[:500]}")
        if value is None:
            return self._result(case, "abstained", "the function gave None")
        if not isinstance(value, str) or not value.strip():
            return self._result(case, "writer_failed", f"the function gave {value!r:.80}; expected a report or None")
        return WrittenReport(
            self.name, self.version, case.case_hash, "written", value, usage=Usage(cost_usd=0.0), detail=case.account
        )

    def _result(self, case: WritingCase, outcome: WriteOutcome, reason: str) -> WrittenReport:
        return WrittenReport(self.name, self.version, case.case_hash, outcome, reason=reason, detail=case.account)


def load_writer(
    spec: str,
    *,
    store: Store,
    base_url: str | None = None,
    evidence_chars: int = EVIDENCE_CHARS,
    extra: Mapping[str, WriterFactory] | None = None,
    options: GatewayOptions | None = None,
) -> ReportWriter:
    """The writer that `spec` names: a name of `extra`, `path/file.py:Object`, `self` (each trajectory's own model), or
    a model as litellm (or the server at `base_url`) names it. Raises BadInputError or MissingExtraError."""
    if extra and spec in extra:
        return extra[spec](store)
    if ".py:" in spec:
        return _own(spec)
    if not spec.strip():
        raise BadInputError("--writer needs a model, `self`, or path/file.py:Object; found nothing")
    if base_url is not None:
        base_url = check_base_url(base_url)
    asked = WriterOptions(spec, base_url, evidence_chars=evidence_chars)
    return ModelWriter(asked, Gateway(store.replies, options=options))


def _own(spec: str) -> ReportWriter:
    found, definition = load_object(spec, "writer")
    if isinstance(found, ReportWriter):
        return found
    if not callable(found):
        raise BadInputError(
            f"writer {spec!r} is a {type(found).__name__}; expected a ReportWriter (name, version, kind, "
            "evidence_chars, async write) or a function case -> report or None"
        )
    return CallableWriter(found, name=str(definition["object"]), definition=definition)
