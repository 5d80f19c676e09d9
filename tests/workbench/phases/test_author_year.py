"""Citations by author and year."""

import pytest

from workbench.phases import analyse
from workbench.phases.citations import read_report
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Trajectory

LIST = """
## References

Smith, J., & Lee, K. (2023). Lighthouses of the northern coast. Sea Press.
Garcia-Lopez, M. (2021a). Piers and their builders. https://piers.example/a
- Lee, K. (1998). Old harbours. https://old.example/harbours
王伟，李强（2021）。《港口建筑研究综述与展望十二章》。
"""


def cited(prose: str, references: str = LIST) -> list[Citation]:
    report = prose + "\n" + references
    return list(analyse(Trajectory("q", "q", "r", "m", (), report, meta={"trace": False})).citations)


@pytest.mark.parametrize(
    ("prose", "marker", "url"),
    [
        ("Piers grew (Garcia-Lopez, 2021a).", "(Garcia-Lopez, 2021a)", "https://piers.example/a"),
        ("Piers grew (see Garcia-Lopez, 2021, p. 5).", "(see Garcia-Lopez, 2021, p. 5)", "https://piers.example/a"),
        ("As Lee (1998) found, harbours age.", "Lee (1998)", "https://old.example/harbours"),
        ("Two stand (Smith & Lee, 2023).", "(Smith & Lee, 2023)", None),
        ("Two stand [Smith et al., 2023].", "[Smith et al., 2023]", None),
        ("港口很多（王伟等，2021）。", "（王伟等，2021）", None),
    ],
)
def test_mark_names_the_entry_of_that_author_and_year(prose: str, marker: str, url: str | None) -> None:
    [found] = cited(prose)
    assert (found.marker, found.url, found.retrieval) == (marker, url, "no_trace")


def test_mark_of_several_gives_one_citation_each_for_its_sentence() -> None:
    prose = "Harbours age. Piers grew (Lee, 1998; Garcia-Lopez, 2021a)."
    found = cited(prose)
    assert [citation.url for citation in found] == ["https://old.example/harbours", "https://piers.example/a"]
    assert prose[found[0].claim_start : found[0].claim_end].startswith("Piers grew")


def test_several_authors_without_an_entry_are_dangling_and_a_name_beside_a_year_is_none() -> None:
    [found] = cited("It is known (Okafor et al., 2020). In May (March, 2023) it rained (Berlin, 1998).")
    assert (found.marker, found.retrieval) == ("(Okafor et al., 2020)", "dangling")
    assert cited("It rained (Berlin, 1998) and Smith (2023) saw it.", references="") == []


def test_list_by_author_and_year_is_no_prose() -> None:
    report = "Prose.\n" + LIST
    assert read_report(report).references.spans[0].start == report.index("## References")
    assert cited("Prose.") == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("piece", ["(Aa, ", "Aa et al., ", "(Aa, 2020; ", "Aa (", "（王", "Smith, J. "])
def test_costly_texts_are_read_at_all(piece: str) -> None:
    """A pattern that backtracks would take hours over this, not a second."""
    read_report(piece * 40_000)
