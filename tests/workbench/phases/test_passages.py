"""The passage that a citation rests on."""

from tests.workbench.phases.building import run
from workbench.phases import analyse
from workbench.phases.documents import Part
from workbench.phases.passages import PASSAGE_CHARS, PassageFinder
from workbench.schema.trajectory import Step, ToolResult

A, B = "https://a.example/x", "https://b.example/y"


def _find(text: str, claim: str) -> str | None:
    steps = [Step(role="tool", tool_results=(ToolResult("c", text),))]
    passage = PassageFinder(steps).find(claim, [Part("a", A, 0, 0, 0, len(text), True)])
    return None if passage is None else text[passage.start : passage.end]


def test_numbers_outweigh_common_words() -> None:
    page = "The tide of the north rose in spring. Readings: 4.2 m on 3 March. The tide of the north fell in autumn."
    found = _find(page, "The tide of the north rose by 4.2 m in March.")
    assert found is not None
    assert found.endswith("Readings: 4.2 m on 3 March.")


def test_rare_words_outweigh_words_on_every_line() -> None:
    page = "\n".join(
        [*(f"The tide table of place {i} is long." for i in range(30)), "Equinoctial tides are the highest."]
    )
    assert _find(page, "The equinoctial tide is the highest of the table.") == "Equinoctial tides are the highest."


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    page = "北海的潮汐表很长。春分大潮在三月达到四米。秋季下降。"
    assert _find(page, "三月的春分大潮有四米高") == "春分大潮在三月达到四米。"


def test_words_inside_addresses_say_nothing() -> None:
    page = "Sign in at https://a.example/equinoctial-tide-highest-of-the-year. The spring tide is highest then."
    assert _find(page, "The equinoctial tide is the highest of the year.") == "The spring tide is highest then."


def test_two_neighbours_that_share_a_claim_are_one_passage() -> None:
    page = "It rains. The tide rose by 4.2 m. The station Northhaven measured it in March. It rains."
    found = _find(page, "Northhaven measured a tide of 4.2 m in March.")
    assert found == "The tide rose by 4.2 m. The station Northhaven measured it in March."


def test_nothing_shared_is_no_passage_and_long_text_is_cut() -> None:
    assert _find("Completely different matter.", "潮汐上升") is None
    found = _find("tide " * 400, "The tide.")
    assert found is not None
    assert len(found) <= PASSAGE_CHARS


def test_the_passage_comes_from_the_part_of_its_own_address() -> None:
    batch = f"Page {A}\nThe tide rose by 4.2 m.\n=====\nPage {B}\nThe tide rose by 4.2 m and fell by 3 m."
    trajectory = run(("visit", [A, B], batch), ("report", f"The tide fell by 3 m ({A}). The tide rose by 4.2 m ({B})."))  # type: ignore[arg-type]
    first, second = analyse(trajectory).citations
    assert first.passage is not None and second.passage is not None
    assert batch[first.passage.start : first.passage.end].endswith("The tide rose by 4.2 m.")
    assert B not in batch[first.passage.start : first.passage.end]
    assert batch[second.passage.start : second.passage.end].endswith("fell by 3 m.")


def test_in_a_json_listing_the_passage_stays_in_the_object_of_its_address() -> None:
    listing = (
        f'[{{"snippet": "It rose by 4.2 m in March.", "url": "{A}"}},'
        f' {{"url": "{B}", "content": "It rose by 4.2 m in May, says \\"B\\" {{so}}."}}]'
    )
    trajectory = run(("search", "tides", listing), ("report", f"It rose by 4.2 m in March [b]({B})."))
    passage = analyse(trajectory).citations[0].passage
    assert passage is not None
    assert listing.index(B) <= passage.start or "May" in listing[passage.start : passage.end]
    assert "March" not in listing[passage.start : passage.end]
