"""Reports that lie in files of their own: what they answer is found beside them, or they say that it is not known."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.containers import markdown_article
from workbench.ingest.folder import LocalFolder, NoFolder
from workbench.ingest.format import PartOfError
from workbench.ingest.formats import webthinker, webweaver
from workbench.ingest.registry import detect_format

SCORED: dict[str, Any] = {
    "question_id": 3,
    "question": "x?",
    "scores": {"one": {"Factuality": 8}, "naive_rag": {"Factuality": 5}, "../up": {}},
}


def folder_with(tmp_path: Path, **articles: str) -> LocalFolder:
    for system, text in articles.items():
        (tmp_path / system).mkdir()
        (tmp_path / system / "article_3.md").write_text(text, "utf-8")
    return LocalFolder(tmp_path, "evaluation_scores_detailed.json")


def test_each_system_with_an_article_is_a_report_with_its_scores(tmp_path: Path) -> None:
    assert detect_format(SCORED) is webthinker.FORMAT
    (given,) = webthinker.expand(SCORED, folder_with(tmp_path, one="# So\n"))
    draft = webthinker.read(given)
    assert (draft.question, draft.report, draft.model, draft.steps) == ("x?", "# So", "one", ())
    assert draft.meta == {"source_question_id": 3, "recorded_scores": {"Factuality": 8}}


def test_scores_without_articles_are_no_trajectory(tmp_path: Path) -> None:
    with pytest.raises(PartOfError, match="article"):
        list(webthinker.expand(SCORED, LocalFolder(tmp_path, "evaluation_scores_detailed.json")))


def test_questions_alone_find_the_published_systems(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, gemini="# So")
    asked = {"id": 3, "Question": "x?"}
    assert detect_format(asked) is webthinker.FORMAT
    assert [each["system"] for each in webthinker.expand(asked, folder)] == ["gemini"]
    (tmp_path / "evaluation_scores_detailed.json").write_text("[]", "utf-8")
    with pytest.raises(PartOfError):
        list(webthinker.expand(asked, folder))


def test_a_text_stands_alone_only_where_it_says_what_it_answers() -> None:
    (given,) = webthinker.expand({"markdown": "Question: x\ny?\n\n# So\n"}, NoFolder("note.md"))
    draft = webthinker.read(given)
    assert (draft.question, draft.report) == ("x\ny?", "# So")
    for name, text in (("note.md", "# So\n"), ("article_3.md", "Question: x?\n\n# So"), ("q.md", "Question: x?\n\n")):
        with pytest.raises(PartOfError):
            list(webthinker.expand({"markdown": text}, NoFolder(name)))


REPORT = (
    '<qwen:takeaway class="main-takeaway">T</qwen:takeaway>\n\n# Title\n\n'
    'So <qwen:cite id="id_2,id_30">quote</qwen:cite>.\n\n[2]. https://a.example/\n\n[3]. https://b.example/'
)


def test_ids_of_tags_are_resolved_by_the_list_at_the_end() -> None:
    record = {"markdown": REPORT}
    assert detect_format(record) is webweaver.FORMAT
    draft = webweaver.read(record)
    assert draft.report == REPORT
    assert draft.meta["sources"] == {"id_2": {"url": "https://a.example/"}}
    assert (draft.question, draft.meta["question_recorded"]) == ("[question not recorded] Title", False)
    asked = webweaver.read({"question": "x?", "answer": REPORT, "language": "en"})
    assert asked.question == "x?"
    assert "question_recorded" not in asked.meta


def test_a_text_about_such_tags_is_no_report() -> None:
    assert not webweaver.detect({"markdown": '# Notes\ntags like `<qwen:cite id="id_2">` stand there'})
    assert not webweaver.detect({"question": "x?", "answer": "short", "language": "en"})
    assert not webweaver.detect({"question": "x?", "answer": REPORT})


def test_markdown_is_told_from_scripts_by_its_name_alone() -> None:
    heading = b"# Title\n\ntext\n"
    assert markdown_article.detect(heading, "a.md")
    assert not markdown_article.detect(heading, "a.sh")
    assert markdown_article.detect(b"\xef\xbb\xbf" + REPORT.encode(), "a.txt")
    assert not markdown_article.detect(json.dumps({"a": REPORT}).encode(), "a.md")
    assert not markdown_article.detect(b"\x00# x\n", "a.md")


def test_shared_articles_are_as_many_as_systems_and_questions() -> None:
    path = shared("webthinker-glaive-reports/evaluation_scores_detailed.json")
    folder = LocalFolder(path.parent, path.name)
    found = []
    for record in json.loads(path.read_bytes()):
        try:
            found += [each["system"] for each in webthinker.expand(record, folder)]
        except PartOfError:
            assert record["question_id"] > 21  # this copy holds the articles of 21 questions
    assert {system: found.count(system) for system in set(found)} == {"webthinker": 21, "gemini": 21, "grok3": 21}
