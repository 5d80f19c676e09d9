"""The matcher against sentences labelled by hand, and its parts by themselves.

`labelled_sentences.jsonl` was used while the rules were written; `held_out_sentences.jsonl` was written afterwards and
never used to change them. The figures asserted are those measured, so that a change for the worse is seen.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.reading.claims import read_claims
from benchmarks.simulated_web.reading.comparisons import said_to_be_more
from benchmarks.simulated_web.reading.lexicon import numbers
from benchmarks.simulated_web.reading.number_words import in_digits
from benchmarks.simulated_web.reading.text import read_text, visible
from benchmarks.simulated_web.reading.verdicts import by_fact
from benchmarks.simulated_web.world import World

DATA = Path(__file__).parent / "data"
GRAPH = Graph.from_json(json.loads((DATA / "labelled_graph.json").read_text()))
# Written and labelled by someone who had seen neither matcher nor generator, on three worlds of their own; SHA-256 as
# handed over, before the matcher saw a sentence of it.
BLIND = DATA / "blind_sentences.jsonl"
BLIND_HASH = "f52b326b1f66aca40897fb6a9c1f75f3a46748ba12654d60e5b65ab99208d09d"


@dataclass(frozen=True)
class Measured:
    sentences: int
    right_sentences: int
    found: int
    false: int
    missed: int

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.false)

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed)


def verdicts(text: str, graph: Graph = GRAPH) -> set[tuple[str, str]]:
    told = by_fact(graph, read_claims(graph, read_text(text)))
    return {("right", fact) for fact, said in told.items() if said.right} | {
        ("wrong", fact) for fact, said in told.items() if said.wrong
    }


def measure(name: str, graphs: Mapping[str, Graph] | None = None) -> Measured:
    """`graphs`: by the world of a row, where there are several."""
    rows = [json.loads(line) for line in (DATA / name).read_text().splitlines()]
    right = found = false = missed = 0
    for row in rows:
        got = verdicts(row["text"], graphs[row["world"]] if graphs else GRAPH)
        want = {("right", fact) for fact in row["right"]} | {("wrong", fact) for fact in row["wrong"]}
        right += got == want
        found += len(got & want)
        false += len(got - want)
        missed += len(want - got)
    return Measured(len(rows), right, found, false, missed)


def test_error_on_held_out_sentences_is_what_was_measured() -> None:
    held_out = measure("held_out_sentences.jsonl")
    assert held_out.sentences == 45
    assert held_out.right_sentences >= 39
    assert held_out.precision >= 0.955
    assert held_out.recall >= 0.941


def test_sentences_of_someone_who_had_not_seen_the_rules_are_read_as_measured() -> None:
    """At first 245 of 309 were right, precision .955 and recall .846; these are the figures after what they showed."""
    assert hashlib.sha256(BLIND.read_bytes()).hexdigest() == BLIND_HASH
    graphs = {
        name: Graph.from_json(found) for name, found in json.loads((DATA / "blind_graphs.json").read_text()).items()
    }
    blind = measure(BLIND.name, graphs)
    assert blind.sentences == 309
    assert blind.right_sentences >= 275
    assert blind.precision >= 0.99
    assert blind.recall >= 0.905


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("two hundred and thirty-nine seats", "239 seats"),
        ("forty-nine million crowns", "49 million crowns"),
        ("a hundred and ninety thousand visitors", "190 thousand visitors"),
        ("Half a billion crowns", "0.5 billion crowns"),
        ("completed in nineteen fifty-nine", "completed in 1959"),
        ("two thousand people", "2 thousand people"),
        ("nineteen thousand two hundred pieces", "19,200 pieces"),
        ("two hundred and five thousand and twelve people", "205,012 people"),
        ("fourteen metres, sixteen years", "14 metres, sixteen years"),
        ("one page names two bridges", "one page names two bridges"),
        ("twenty-six years after the Grantok Dam", "twenty-six years after the Grantok Dam"),
        ("twenty-one hundred", "twenty-one hundred"),
    ],
)
def test_numbers_in_words_are_read_as_digits(words: str, digits: str) -> None:
    assert in_digits(words) == digits


@pytest.mark.parametrize(
    ("head", "cell", "entry"),
    [
        ("Weight (t)", "165", "Lynnix, Weight: 165 t"),
        ("Area (km²)", "1,280", "Lynnix, Area: 1,280 km²"),
        ("Cost in million crowns", "49", "Lynnix, Cost: 49 million crowns"),
        ("Weight (t)", "165 kg", "Lynnix, Weight (t): 165 kg"),
        ("Opened", "1934", "Lynnix, Opened: 1934"),
    ],
)
def test_a_unit_in_the_head_of_a_table_belongs_to_its_cells(head: str, cell: str, entry: str) -> None:
    table = f"| Name | {head} |\n| --- | --- |\n| Lynnix | {cell} |"
    assert [sentence.text for sentence in read_text(table).sentences] == [entry]


def test_sentences_that_the_rules_were_written_on_stay_right() -> None:
    labelled = measure("labelled_sentences.jsonl")
    assert labelled.sentences == 170
    assert labelled.right_sentences >= 161
    assert labelled.precision >= 0.98


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The Velda Bridge is longer than the Orsund Bridge.", "bridge-1"),
        ("The Orsund Bridge is shorter than the Velda Bridge.", "bridge-1"),
        ("The Orsund Bridge is longer than the Velda Bridge.", "bridge-2"),
        ("The Orsund Bridge is not longer than the Velda Bridge.", "bridge-1"),
        ("Of the two, the Velda Bridge is longer.", "bridge-1"),
        ("The longer of the two is the Velda Bridge.", "bridge-1"),
        ("Longer: Velda Bridge", "bridge-1"),
        ("Compared with the Orsund Bridge, the Velda Bridge is longer.", "bridge-1"),
        ("The Velda Bridge, compared with the Orsund Bridge, is longer.", "bridge-1"),
        ("At 1,240 m the Velda Bridge is much longer than the Orsund Bridge at 680 m.", "bridge-1"),
    ],
)
def test_comparison_is_read_whichever_way_it_is_put(text: str, more: str) -> None:
    said = said_to_be_more(GRAPH, read_text(text), "bridge.length", ("bridge-1", "bridge-2"))
    assert [entity for entity, _ in said] == [more]


@pytest.mark.parametrize(
    "text",
    [
        "Which is longer, the Velda Bridge or the Orsund Bridge?",
        "It is unclear whether the Velda Bridge is longer than the Orsund Bridge.",
        "The Velda Bridge and the Orsund Bridge are both long.",
        "The Grantok Dam is longer than one would think.",
    ],
)
def test_what_compares_nothing_is_no_comparison(text: str) -> None:
    assert not said_to_be_more(GRAPH, read_text(text), "bridge.length", ("bridge-1", "bridge-2"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,240 m", 1240.0),
        ("1.24 km", 1240.0),
        ("1240 metres", 1240.0),
        ("4,068 ft", pytest.approx(1240, rel=1e-3)),
        ("7.63 billion crowns", 7.63e9),
        ("203 thousand people", 203_000.0),
        ("15%", 15.0),
        ("310 m³/s", 310.0),
        ("83 km²", 83e6),
    ],
)
def test_numbers_are_read_in_base_units(text: str, value: float) -> None:
    assert [number.value for number in numbers(text)] == [value]


@pytest.mark.parametrize(
    "text", ["1,200–1,300 m", "1,200 to 1,300 m", "between 5 and 6 m", "the 1930s", "45 km/h faster"]
)
def test_ranges_decades_and_differences_state_no_value(text: str) -> None:
    assert numbers(text) == []


def test_what_a_reader_does_not_see_is_not_read() -> None:
    hidden = "The Velda Bridge<!-- is 1,240 m long --> is 1,2\u200b40 m long\u200b."
    assert visible(hidden).split() == ["The", "Velda", "Bridge", "is", "1,240", "m", "long."]
    assert verdicts("The Velda Bridge stands.<!-- It is 1,310 m long. -->") == set()


def test_list_of_sources_states_nothing_and_numbers_its_addresses() -> None:
    text = read_text(
        "The bridge [1].\n\n## Sources\n\n[1] Velda Bridge, 1,240 m long. https://a.example/x\n2. https://b.example/y."
    )
    assert [sentence.text for sentence in text.sentences] == ["The bridge ."]
    assert text.sources == {"1": "https://a.example/x", "2": "https://b.example/y"}


def test_a_marker_serves_the_sentences_before_it_in_its_paragraph() -> None:
    text = read_text(
        "One thing. Another thing. [2]\n\nA third.\n\n## Sources\n1. https://a.example\n2. https://b.example"
    )
    assert [sentence.cited for sentence in text.sentences] == [("https://b.example",), ("https://b.example",), ()]


def test_pages_are_read_as_they_were_written(world: World) -> None:
    """Every statement that a page was made to tell is found in its text, and nothing else is."""
    missed, invented = [], []
    for page in world.pages:
        claims = read_claims(world.graph, read_text(f"# {page.title}\n\n{page.text}"))
        read = {(world.graph.of(c.entity, c.relation_key).id, c.denied) for c in claims}
        told = {(statement.fact_id, statement.denied) for statement in page.statements}
        missed += [(page.url, what) for what in told - read]
        invented += [(page.url, what) for what in read - told]
    assert not missed and not invented
