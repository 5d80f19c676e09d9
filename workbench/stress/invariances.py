"""Invariances: changes of form alone. A grader that moves here rewards dress."""

import random
import re

from workbench.schema.grade import GradingCase
from workbench.stress.perturbation import Perturbation, with_report

_HEADING = re.compile(r"^(#{1,5})( )", re.MULTILINE)
_BULLET = re.compile(r"^(\s*)[-*+] ", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*([^*\n]+)\*\*")


def reformatted(case: GradingCase, rng: random.Random) -> GradingCase | None:
    """Headings one level down, another bullet sign, emphasis by underscores, wider spacing: the same words."""
    bullet = rng.choice(("+ ", "* "))
    text = _HEADING.sub(r"#\1\2", case.report)
    text = _BULLET.sub(lambda match: match.group(1) + bullet, text)
    text = _EMPHASIS.sub(r"__\1__", text)
    text = re.sub(r"\n\n+", "\n\n\n", text.strip()) + "\n"
    return with_report(case, text)


INVARIANCES: tuple[Perturbation, ...] = (
    Perturbation("reformatted", "invariance", "headings, bullets, emphasis and spacing change form", reformatted),
)
