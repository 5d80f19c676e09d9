"""The tables that notebooks and pipelines read: each column's name, kind and meaning. docs/frames.md says the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from workbench.errors import BadInputError

Kind: TypeAlias = Literal["text", "integer", "number", "flag", "time", "json"]
Table: TypeAlias = Literal[
    "runs", "trajectories", "steps", "phases", "citations", "grades", "ballots", "votes"
]  # fmt: skip

_PANDAS = {"text": "str", "json": "str", "number": "float64", "flag": "bool", "time": "datetime64[us, UTC]"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `missing`: may be without a value. `body`: read only where bodies are asked for.

    `json` is a JSON text. Times are in UTC.
    """

    name: str
    kind: Kind
    about: str
    missing: bool = False
    body: bool = False

    @property
    def dtype(self) -> str:
        """The pandas dtype. Whole numbers stay whole where some are missing."""
        if self.kind == "integer":
            return "Int64" if self.missing else "int64"
        return _PANDAS[self.kind]


def _of(kind: Kind, *, missing: bool = False, body: bool = False, **about: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind, words, missing, body) for name, words in about.items())


_OWNER = _of(
    "text",
    trajectory_id="the trajectory; the same name joins all tables",
    question_id="its question",
    run="its run",
)
_TABLES: dict[Table, tuple[Column, ...]] = {
    "runs": (
        *_of("text", run="name of the run", model="its model; those of its trajectories if nobody said"),
        *_of("flag", simulated="made by the simulated web, and no measurement of a real agent"),
        *_of("integer", trajectories="how many it holds", questions="distinct questions among them"),
        *_of("time", created_at="when the store first heard of it"),
        *_of("json", body=True, meta="what was said of it besides"),
    ),
    "trajectories": (
        *_of(
            "text",
            trajectory_id="the trajectory; the same name joins all tables",
            question="the question as it was asked",
            question_id="identity of the question across files and runs",
            run="its run",
            model="the agent's model",
        ),
        *_of("integer", attempt="number of this attempt at the question, from 0"),
        *_of("text", missing=True, group="rollouts drawn together from one policy"),
        *_of("integer", missing=True, policy_step="optimiser step of that policy"),
        *_of("text", outcome="completed, truncated, failed or unknown"),
        *_of(
            "integer",
            steps="messages",
            report_chars="characters of the report; 0 where there is none",
            queries="searches made",
            distinct_queries="distinct ones, case, width, spacing and punctuation folded",
            sites_opened="registered domains of which a page was fetched without error",
            sites_cited="registered domains that the report cites",
            sites_seen="registered domains seen in results and never opened",
            tool_calls="calls of tools",
            failed_calls="calls that failed",
            tool_errors="results marked as errors",
            tokens="tokens of what the agent wrote and read",
        ),
        *_of("flag", tokens_exact="counted by a tokenizer; an estimate where false"),
        *_of("integer", evidence_chars="characters of what was retrieved"),
        *_of(
            "integer",
            missing=True,
            near_duplicate_queries="distinct queries that only vary another",
            repeated_opens="pages fetched that had been fetched before",
        ),
        *_of(
            "number",
            missing=True,
            redundancy="share in [0, 1] of the retrieved text that an earlier result held",
            duration_s="seconds, where recorded",
            cost_usd="US dollars, where recorded",
        ),
        *_of("integer", citations="citations of the report"),
        *_of(
            "integer",
            retrieval_opened="citations of a page that was opened",
            retrieval_seen="citations of a page seen only in search results",
            retrieval_not_retrieved="citations of an address that no tool result holds",
            retrieval_dangling="citations without an entry in the reference list",
            retrieval_no_trace="citations of a report imported without its run",
            support_supported="citations whose source supports the claim",
            support_partly="citations whose source supports a part of it",
            support_contradicted="citations whose source contradicts it",
            support_unrelated="citations whose source does not speak of it",
            support_not_checked="citations nobody checked",
        ),
        *_of("number", missing=True, score="mean scored grade of the filter's grader; missing without one"),
        *_of("text", analysis_version="rules that made phases, activity and citations"),
        *_of("time", imported_at="when it was imported"),
        *_of("text", body=True, report="the report"),
        *_of("json", body=True, meta="what the source said besides"),
    ),
    "steps": (
        *_OWNER,
        *_of("integer", position="place in the trajectory, from 0"),
        *_of("text", role="system, user, assistant or tool"),
        *_of("text", missing=True, phase="plan, research or synthesis; a person's word where there is one"),
        *_of("number", missing=True, confidence="of the phase, in [0, 1]; 1 where a person said it"),
        *_of("text", missing=True, phase_source="rule or person"),
        *_of("integer", chars="characters of the text", reasoning_chars="characters of the reasoning"),
        *_of("integer", tool_calls="calls made in this step"),
        *_of("text", tools="names of the called tools, in order, joined by comma and space"),
        *_of(
            "integer",
            searches="calls that search",
            visits="calls that open a page",
            result_chars="characters of the tools' results",
            errors="results marked as errors",
        ),
        *_of("text", body=True, text="what was said", reasoning="what was thought"),
        *_of("json", body=True, calls="list of {id, name, kind, arguments}"),
        *_of("json", body=True, results="list of {call_id, text, is_error}"),
        *_of("text", body=True, agent="who acted, in a run of several agents; empty in a run of one"),
        *_of("number", missing=True, body=True, duration_s="seconds, where recorded"),
    ),
    "phases": (
        *_OWNER,
        *_of("text", phase="plan, research or synthesis: three rows a trajectory"),
        *_of("integer", steps="steps in this phase, a person's corrections applied", tokens="their tokens"),
        *_of("flag", tokens_exact="counted by a tokenizer; an estimate where false"),
        *_of("integer", tool_calls="their calls"),
        *_of("number", missing=True, duration_s="their seconds, where recorded"),
        *_of("integer", corrected_steps="steps of the whole trajectory that a person moved"),
    ),
    "citations": (
        *_OWNER,
        *_of("integer", ordinal="place among the report's citations, from 0"),
        *_of("text", marker="the citation as it stands in the report"),
        *_of("text", missing=True, url="the address cited", site="its registered domain"),
        *_of("text", retrieval="opened, seen, not_retrieved, dangling or no_trace"),
        *_of("text", support="supported, partly, contradicted, unrelated or not_checked"),
        *_of(
            "integer",
            marker_start="offset of the marker in the report",
            marker_end="where it ends",
            claim_start="offset of the sentence that it serves",
            claim_end="where that ends",
        ),
        *_of(
            "integer",
            missing=True,
            passage_step="step of the passage that it rests on; missing where nothing was retrieved",
            passage_result="which result of that step",
            passage_start="offset in the result's text",
            passage_end="where the passage ends",
        ),
        *_of("text", body=True, claim="the sentence that it serves"),
        *_of("text", missing=True, body=True, passage="the passage that it rests on"),
    ),
    "grades": (
        *_OWNER,
        *_of("text", grader="name of the grader", grader_version="hash of all that decides its score"),
        *_of("text", case_hash="hash of all that it could read"),
        *_of("integer", repeat="which of several draws, from 0"),
        *_of("text", outcome="scored, abstained, judge_failed or infra_failed"),
        *_of("number", missing=True, score="in [0, 1]; missing unless scored: a failure is never a score"),
        *_of("number", missing=True, raw="the grader's own value, of any range"),
        *_of("text", scheme="how raw becomes score"),
        *_of("integer", input_tokens="tokens sent", output_tokens="tokens received"),
        *_of("number", missing=True, cost_usd="missing where the price is unknown"),
        *_of("number", latency_s="seconds"),
        *_of("flag", cached="an earlier reply was used again"),
        *_of("time", created_at="when it was given"),
        *_of("text", body=True, reason="why"),
        *_of("json", body=True, verdicts="list of {criterion_id, label, value, reason, quote}", detail="the rest"),
    ),
    "ballots": (
        *_of(
            "text",
            round="id of the round",
            round_state="open or closed",
            assignment_id="the pair put before this rater",
            rater="who, within this round",
            question_id="the question of the pair",
            purpose="rating; or training, attention or repeat, which count for no model",
        ),
        *_of(
            "text",
            missing=True,
            left="trajectory shown on the left; hidden while the round is open",
            right="trajectory shown on the right; hidden while the round is open",
        ),
        *_of("text", verdict="left, right, both_good, both_fair or both_bad"),
        *_of("json", scores="{dimension: [left, right]}, 1 to 5"),
        *_of("number", missing=True, seconds="time taken"),
        *_of("time", missing=True, created_at="when it was cast"),
        *_of("text", set_aside="the owner's reason for not counting it; empty where it counts"),
        *_of("text", body=True, reason="the rater's words"),
    ),
    "votes": (
        *_of("text", source="round:ID for ballots, else the import"),
        *_of("integer", ordinal="place within its source"),
        *_of("text", model_a="one side", model_b="the other", winner="model_a, model_b, tie, both_bad, both_good or "
             "both_fair", rater="who", question_id="the question; empty where it was not said"),
        *_of("json", scores="{dimension: [a, b]}"),
        *_of("text", body=True, reason="the rater's words"),
    ),
}  # fmt: skip
TABLES: Mapping[Table, tuple[Column, ...]] = MappingProxyType(_TABLES)


def columns_of(table: str, *, bodies: bool) -> tuple[Column, ...]:
    """The columns that a table is read with. Raises BadInputError for a table that there is not."""
    for name, columns in TABLES.items():
        if name == table:
            return tuple(column for column in columns if bodies or not column.body)
    raise BadInputError(f"there is no table {table!r}; tables are {', '.join(TABLES)}")


def as_markdown() -> str:
    """The page docs/frames.md."""
    lines = [_HEAD]
    for table, columns in TABLES.items():
        lines += [f"\n## {table}\n", "| column | dtype | |", "|---|---|---|"]
        for column in columns:
            notes = [column.about]
            notes += ["JSON text"] if column.kind == "json" else []
            notes += ["may be missing"] if column.missing and "missing" not in column.about else []
            notes += ["**with `bodies=True`**"] if column.body else []
            lines.append(f"| `{column.name}` | `{column.dtype}` | {'; '.join(notes)} |")
    return "\n".join(lines) + "\n"


_HEAD = """# Frames

What `workbench.open()` gives as pandas frames, and `to_parquet` as files. This page is made from
`workbench/notebook/columns.py` (its `as_markdown`); a test compares the two.

- `trajectory_id` joins all tables. An empty answer has the same columns and dtypes.
- Columns marked with `bodies=True` hold texts and are read only where they are asked for.
- Parquet holds `string`, `int64`, `double`, `bool` and `timestamp[us, UTC]`; what is missing is null, never NaN.
- Half of a surrogate pair, which no UTF-8 can carry, stands as its escape (`\\ud800`).
- In SQL, `"group"` is a word of the language: quote it."""
