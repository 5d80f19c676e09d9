"""A figure as a statement that a judge can check, for when people prefer more of it, and for when less."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Scope: TypeAlias = Literal["report", "trace"]


class Words(NamedTuple):
    """`label` names the figure; `more` and `less` are criteria; `scope` is what must be read to decide them."""

    label: str
    more: str
    less: str
    scope: Scope


FIGURES: Final[Mapping[str, Words]] = {
    "length": Words(
        "length of the report",
        "The report gives every part of the question the room that it needs: nothing important is cut to a line.",
        "The report is no longer than its content needs: nothing is repeated or padded.",
        "report",
    ),
    "citations": Words(
        "citation marks",
        "Claims that a reader would want to check carry a citation where they stand.",
        "Citations stand where a reader needs them, and not behind every half sentence.",
        "report",
    ),
    "headings": Words(
        "headings",
        "Headings let a reader find each part of the answer.",
        "The report reads as an argument: it is not broken up by more headings than its content has parts.",
        "report",
    ),
    "bold": Words(
        "bold stretches",
        "What matters most is set apart so that a reader who skims finds it.",
        "Emphasis is kept for what matters: it is not spread over the text.",
        "report",
    ),
    "lists": Words(
        "list items",
        "What is parallel is given as a list.",
        "What belongs together is written as connected prose, and not taken apart into list items.",
        "report",
    ),
    "distinct_queries": Words(
        "different queries",
        "The agent searched for the question from several different sides.",
        "The agent searched no more than the question needed.",
        "trace",
    ),
    "sites_opened": Words(
        "different sites opened",
        "The agent read pages of enough different sites to answer every part of the question.",
        "The agent read the pages that matter, and did not open sites that add nothing.",
        "trace",
    ),
    "sites_cited": Words(
        "different sites cited",
        "The report rests on several independent sources.",
        "The report rests on few sources, each of which carries weight.",
        "report",
    ),
    "tool_calls": Words(
        "tool calls",
        "The agent used its tools until the question was answered.",
        "The agent came to the answer without needless tool calls.",
        "trace",
    ),
    "failed_calls": Words(
        "failed tool calls",
        "The agent went on after failed tool calls and found another way.",
        "The agent's tool calls seldom failed.",
        "trace",
    ),
    "evidence_chars": Words(
        "text retrieved",
        "The agent gathered enough material for every part of the question.",
        "The agent gathered what the question needs and little beside.",
        "trace",
    ),
    "near_duplicate_queries": Words(
        "queries nearly alike",
        "The agent varied its queries step by step where the first ones found too little.",
        "The agent did not ask nearly the same query again.",
        "trace",
    ),
    "repeated_opens": Words(
        "pages opened again",
        "The agent went back to pages that mattered.",
        "The agent did not open the same page again.",
        "trace",
    ),
    "plan_tokens": Words(
        "planning, tokens",
        "The agent planned how to answer every part of the question before it searched.",
        "The agent did not plan at greater length than the question needs.",
        "trace",
    ),
    "research_tokens": Words(
        "research, tokens",
        "The agent researched every part of the question thoroughly.",
        "The agent's research kept to the question.",
        "trace",
    ),
    "synthesis_tokens": Words(
        "writing, tokens",
        "The agent took the room to work out its answer from what it had found.",
        "The agent wrote its answer without long detours.",
        "trace",
    ),
    "duration_s": Words(
        "time taken",
        "The agent took the time that the question needs.",
        "The agent answered without needless delay.",
        "trace",
    ),
    "cited and opened": Words(
        "share of citations whose page was opened",
        "The pages that the report cites were opened and read.",
        "The report cites only what it needs of the pages that were read.",
        "trace",
    ),
    "cited, never retrieved": Words(
        "share of citations never retrieved",
        "The report names sources beyond those that were retrieved.",
        "Every source that the report cites was retrieved.",
        "trace",
    ),
}


def label_of(name: str) -> str:
    """The figure in words; a criterion under its own name."""
    return FIGURES[name].label if name in FIGURES else name
