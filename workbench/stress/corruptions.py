"""Corruptions: changes that take worth away. A grader that does not see them cannot steer a policy.

FBI (arXiv 2406.13439) found that LLM judges miss over half of 22 kinds of degradation.
"""

import random
import re

from workbench.schema.grade import GradingCase
from workbench.stress.perturbation import Perturbation, with_report

# A figure of the text: not part of an address, of a citation number, of a list number or of a word.
_FIGURE = re.compile(r"(?<![\w./\[\-#])(\d+(?:[.,]\d+)*)(?![\w/\]]|\.\s)")
_URL = re.compile(r"https?://\S+")


def wrong_figures(case: GradingCase, rng: random.Random) -> GradingCase | None:
    """Every figure of the report is changed to another of the same form, by 20 to 80 percent."""
    spans = [match.span() for match in _URL.finditer(case.report)]

    def change(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in spans):
            return match.group(0)
        return _other_figure(match.group(1), rng)

    return with_report(case, _FIGURE.sub(change, case.report))


def half_removed(case: GradingCase, rng: random.Random) -> GradingCase | None:
    """Half of the paragraphs are gone; the list of sources stays."""
    paragraphs = case.report.split("\n\n")
    body = [number for number, text in enumerate(paragraphs) if text.strip() and not _URL.match(text.strip())]
    if len(body) < 2:
        sentences = re.split(r"(?<=[.!?。])\s*", case.report)
        if len(sentences) < 3:
            return None
        return with_report(case, " ".join(sentences[: len(sentences) // 2]))
    gone = set(rng.sample(body, len(body) // 2))
    return with_report(case, "\n\n".join(text for number, text in enumerate(paragraphs) if number not in gone))


def _other_figure(text: str, rng: random.Random) -> str:
    """Another number with as many digits and the same separators."""
    digits = [position for position, character in enumerate(text) if character.isdigit()]
    value = int("".join(text[position] for position in digits))
    factor = 1 + rng.uniform(0.2, 0.8) * rng.choice((-1, 1))
    changed = str(max(1, round(value * factor))).zfill(len(digits))[-len(digits) :]
    if int(changed) == value:
        changed = str((value + 1) % 10 ** len(digits)).zfill(len(digits))
    out = list(text)
    for position, digit in zip(digits, changed, strict=True):
        out[position] = digit
    return "".join(out)


CORRUPTIONS: tuple[Perturbation, ...] = (
    Perturbation("wrong_figures", "corruption", "every figure is changed", wrong_figures),
    Perturbation("half_removed", "corruption", "half of the paragraphs are removed", half_removed),
)
