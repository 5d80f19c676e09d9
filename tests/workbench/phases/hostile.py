"""Trajectories of any shape with text of any kind, and texts that are made to cost a reader dearly."""

from hypothesis import strategies as st

from workbench.schema.trajectory import Step, TokenTrace, ToolCall, ToolResult, Trajectory

PIECES = (
    *(
        "[1]",
        "[1, 2-9]",
        "[^a]",
        "[^a]: https://a.example/x\n",
        "【3†x】",
        "[[4]](https://b.example/y)",
        "(https://a.example)",
    ),
    *(
        "## References\n",
        "Sources:\n",
        "参考文献\n",
        "1. https://c.example/z\n",
        "[2] Doe. doi:10.1000/x\n",
        "\n\n",
        "\n",
    ),
    *(
        "```",
        "`",
        "|",
        "| 5 |",
        "It rose by 4.2 m in 2024. ",
        "潮汐上升。",
        "\ud800",
        "\x00",
        "\u202e",
        '<qwen:cite id="id_1">',
    ),
    *(
        "</qwen:cite>",
        "http://[::1",
        "https://xn--\u0130/",
        "%zz%ff",
        '{"url": "https:\\/\\/d.example\\/w"}',
        "404 not found",
    ),
    *("![p](https://a.example/p.png)", "<sup>2</sup>", '[doc: "t", 1]', "e.g.", "…", "“", "Error: x", "{", "}", "\\"),
)
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=25).map("".join)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=6,
)
arguments = st.dictionaries(
    st.one_of(st.sampled_from(["query", "url", "urls", "q", "id"]), st.text(max_size=5)), values
)
ids = st.sampled_from(["", "a", "b", "c"])
calls = st.builds(
    ToolCall,
    ids,
    st.one_of(st.just("search"), st.text(max_size=8)),
    st.sampled_from(["search", "visit", "code", "other"]),
    arguments,
)
results = st.builds(ToolResult, ids, texts, st.booleans())
traces = st.integers(0, 3).map(lambda n: TokenTrace((1,) * n, (1,) * n))
steps = st.builds(
    Step,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=texts,
    reasoning=texts,
    tool_calls=st.lists(calls, max_size=3).map(tuple),
    tool_results=st.lists(results, max_size=3).map(tuple),
    tokens=st.one_of(st.none(), traces),
)
trajectories = st.builds(
    Trajectory,
    question=texts,
    question_id=st.just("q-1"),
    run=st.just("run"),
    model=st.just("model"),
    steps=st.lists(steps, max_size=8).map(tuple),
    report=texts,
    outcome=st.sampled_from(["completed", "truncated", "failed", "unknown"]),
)

# Each is repeated to a megabyte: what makes a careless pattern go over the same text again from every position.
COSTLY = {
    "stops": ".",
    "stops before a letter": "." * 50 + "x",
    "open brackets": "[",
    "open numbers": "[1,",
    "nested brackets": "[[a]",
    "backticks": "`",
    "pairs of backticks": "`a",
    "open fences": "```\n",
    "links": "[a](https://a.example/x)",
    "open links": "[a](https://a.example/x",
    "brackets in an address": "https://a.example/(((",
    "one address": "https://a.example/" + "a" * 40,
    "blanks": " ",
    "line breaks": "\n",
    "empty lists": "Sources:\n",
    "blanks after a title": "References" + " " * 200 + "x\n",
    "entries": "[1] https://a.example/x\n",
    "plain entries": "1. https://a.example/x\n",
    "footnotes": "[^a]: x\n",
    "open tags": '<qwen:cite id="id_1">',
    "open ids": '<qwen:cite id="' + "1," * 90,
    "Chinese sentences": "中。",
    "stars": "*",
    "bold": "**a",
    "cells": "| a ",
    "objects": '{"url":"https://a.example/x","a":"b"},',
    "braces": "{",
    "backslashes": "\\",
    "percent signs": "%41",
    "labels": "http://" + "a." * 90,
    "cited sentences": "a [1]. ",
    "numbers": " a 1.",
    "abbreviations": "e.g. ",
}
