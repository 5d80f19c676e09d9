"""Reports of several systems on the same questions, as WebThinker publishes them.

`evaluation_scores_detailed.json` names the questions, the systems and what a judge gave each; the reports lie in
`<system>/article_<id>.md`. Without it `questions.json` names the questions, and the systems are those that published
theirs so. A system with a score and no article gives nothing. A Markdown text that begins with its question
(`Question: ...`) can stand alone; any other does not say what it answers, and is skipped with that reason.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Folder, Format, PartOfError, field_of
from workbench.schema.canonical import JsonValue

_SCORES, _QUESTIONS = "evaluation_scores_detailed.json", "questions.json"
_PUBLISHED = ("webthinker", "gemini", "grok3", "naive_rag", "search_o1")
_ARTICLE = re.compile(r"article_[^/]{1,80}\.(?:md|markdown)")
_PLAIN_NAME = re.compile(r"[\w.+-]{1,80}")
_ASKED = re.compile(r"\s*Question:[ \t]*(?P<question>\S.*?)[ \t]*\n\s*\n", re.DOTALL)
_MOST_QUESTION_CHARS = 4000


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("markdown"), str):
        return True
    if "article" in record:
        return isinstance(record["article"], str) and "system" in record and isinstance(record.get("question"), str)
    return _is_scored(record) or _is_question(record)


def expand(record: Mapping[str, Any], folder: Folder) -> Iterator[Mapping[str, Any]]:
    """`{question, article, system, question_id, scores?}` for each article that lies there."""
    if isinstance(record.get("markdown"), str):
        yield _alone(record, folder)
    elif "article" in record:
        yield record
    elif _is_question(record) and _SCORES in folder.names():
        raise PartOfError(f"its questions are read with {_SCORES}")
    else:
        found = list(_articles(record, folder))
        if not found:
            raise PartOfError("no article_<id>.md in a folder beside it; expected the systems' reports there")
        yield from found


def read(record: Mapping[str, Any]) -> Draft:
    question, article = field_of(record, "question", str), field_of(record, "article", str)
    if question is None or article is None:
        raise BadInputError("the question or the article is empty; expected texts")
    system = field_of(record, "system", str)
    meta: dict[str, JsonValue] = {}
    if record.get("question_id") is not None:
        meta["source_question_id"] = record["question_id"]
    if isinstance(record.get("scores"), Mapping):
        meta["recorded_scores"] = dict(record["scores"])
    return Draft(
        question=question.strip(),
        steps=(),
        report=article.strip(),
        outcome="completed",
        run=system,
        model=system,
        meta=meta,
    )


def _articles(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    scores = record.get("scores")
    scored: Mapping[str, Any] = scores if isinstance(scores, Mapping) else {}
    number = record.get("question_id", record.get("id"))
    if not isinstance(number, int | str) or not _PLAIN_NAME.fullmatch(str(number)):
        return
    question = record.get("question", record.get("Question"))
    for system in scored or _PUBLISHED:
        if not _PLAIN_NAME.fullmatch(system) or system.startswith("."):
            continue
        article = folder.text(f"{system}/article_{number}.md")
        if article and article.strip():
            given = {"scores": scored[system]} if system in scored else {}
            yield {"question": question, "article": article, "system": system, "question_id": number, **given}


def _alone(record: Mapping[str, Any], folder: Folder) -> Mapping[str, Any]:
    text = record["markdown"]
    if _ARTICLE.fullmatch(folder.file):
        raise PartOfError(
            f"an article is read with {_SCORES} or {_QUESTIONS} in the folder above; import the folder that holds both"
        )
    asked = _ASKED.match(text[: _MOST_QUESTION_CHARS + 100])
    if asked is None or not text[asked.end() :].strip():
        raise PartOfError(
            "it is a Markdown text that does not say which question it answers; expected 'Question: ...' as its first "
            "line, or a record with question and report"
        )
    return {"question": asked["question"], "article": text[asked.end() :], "system": None}


def _is_scored(record: Mapping[str, Any]) -> bool:
    scores = record.get("scores")
    return (
        "question_id" in record
        and isinstance(record.get("question"), str)
        and isinstance(scores, Mapping)
        and any(isinstance(each, Mapping) for each in scores.values())
    )


def _is_question(record: Mapping[str, Any]) -> bool:
    return set(record) == {"id", "Question"} and isinstance(record["Question"], str)


FORMAT = Format(
    name="article-files",
    looks_like='{"question_id", "question", "scores": {system: {...}}} with <system>/article_<id>.md beside it',
    detect=detect,
    read=read,
    expand=expand,
)
