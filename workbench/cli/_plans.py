"""What `grade --plan` and `compare --plan` print."""

from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from graders.grade_plan import GradePlan


def show_plan(console: Console, plan: "GradePlan", what: str) -> None:
    """`what`: reports or pairs."""
    from graders.plan_words import plan_lines

    for text, is_head in plan_lines(plan, what):
        console.print(text, style="bold" if is_head else "", markup=False)
