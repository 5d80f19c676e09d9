"""Where a name was left standing and may yet be the author's: the pair is set aside rather than shown.

Only names of assistants and their makers that the masker knows and left. A report on a question about such products
speaks of them on every page: there a name left standing tells nothing, and nothing is doubted.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.human.blind.folding import Folded, shown

SIGNING = "a line at its beginning or end reads like a signature"
FIRST_PERSON = "an assistant is named in a sentence in the first person"

# Of how many lines at either end, and how long, a signature is expected.
SIGNED_LINES, SIGNED_CHARS = 4, 90
_SIGN = re.compile(
    r"©|\(c\)|copyright|(?:\b(?:model|engine|assistant|agent|version|generator|modell|modelo|modele|modello)|模型|作者|助手|"
    r"модель|モデル|모델)\s*[:：=]|\b(?:generated|powered)\s+(?:\w+\s+){0,2}(?:by|with|using)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    shown(
        r"(?-i:\bI\b)|\b(?:my|myself|mine|yo|mi|je|mon|ma|moi|ich|mein|meine|eu|meu|minha|io|mio|mia|ik|mijn|jag|min|moj|"
        r"я|мой|моя|мне|tôi|saya|ben|benim)\b|我|私|저는|제가|나는|أنا|मैं|मेरा"
    ),
    re.IGNORECASE,
)
_MACHINE = re.compile(
    shown(
        r"\b(?:(?:AI|LLM|language model|assistant|chatbot|agent|bot|asistente|assistente|asystent|assistent)s?|"
        r"ассистент|trained|training|knowledge cut-?off|trợ lý|asisten)\b"
        r"|助手|人工智能|アシスタント|어시스턴트|مساعد|सहायक"
    ),
    re.IGNORECASE,
)
_ABOUT_MACHINES = re.compile(
    r"\b(?:AI|LLMs?|chat ?bots?|language models?|assistants?|openai|anthropic|chatgpt|gpt)\b|人工智能|大模型|"
    r"人工知能|인공지능",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"|«[^»\n]*»|„[^“”\n]*[“”]|「[^」\n]*」")
_SENTENCE_END = re.compile(r"[.!?。！？।\n]")


@dataclass(frozen=True, slots=True)
class Doubt:
    """`excerpt` has the name in it, as the reader would see it: for the round's owner alone."""

    reason: str
    excerpt: str


def asks_about_machines(question: str) -> bool:
    """Whether the question is about assistants or language models themselves."""
    return bool(_ABOUT_MACHINES.search(question))


def doubts_in(view: Folded, standing: Iterable[tuple[int, int]]) -> tuple[Doubt, ...]:
    """`standing`: where in the folded text well-known names stand that were not masked."""
    quoted = [found.span() for found in _QUOTED.finditer(view.text)]
    found: dict[str, Doubt] = {}
    for first, last in standing:
        if any(start <= first and last <= end for start, end in quoted):
            continue
        line = _around(view.text, first, last, "\n")
        sentence = _sentence(view.text, first, last)
        if _at_an_end(view.text, first) and len(line) <= SIGNED_CHARS and _SIGN.search(line):
            found.setdefault(SIGNING, Doubt(SIGNING, line))
        unquoted = _QUOTED.sub(" ", sentence)
        if _FIRST.search(unquoted) and _MACHINE.search(unquoted):
            found.setdefault(FIRST_PERSON, Doubt(FIRST_PERSON, sentence[:200]))
    return tuple(found.values())


def _around(text: str, first: int, last: int, end: str) -> str:
    stop = text.find(end, last)
    return text[text.rfind(end, 0, first) + 1 : stop if stop >= 0 else len(text)].strip()


def _sentence(text: str, first: int, last: int) -> str:
    starts = [found.end() for found in _SENTENCE_END.finditer(text, max(0, first - 300), first)]
    stop = _SENTENCE_END.search(text, last)
    return text[starts[-1] if starts else max(0, first - 300) : stop.start() if stop else len(text)].strip()


def _at_an_end(text: str, place: int) -> bool:
    before = [line for line in text[:place].split("\n")[:-1] if line.strip()]
    after = [line for line in text[place:].split("\n")[1:] if line.strip()]
    return min(len(before), len(after)) < SIGNED_LINES
