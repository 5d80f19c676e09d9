"""Cases with reports and traces as an agent writes them, for the stress lab's tests."""

import random

from workbench.schema.canonical import question_key
from workbench.schema.grade import GradingCase
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory


def research_case(number: int, *, seed: int = 0, run: str = "stress-test") -> GradingCase:
    """A question on two plants, with a search, a page and a report of five paragraphs with figures and sources."""
    rng = random.Random(f"{seed}:{number}")
    output, year = rng.randint(120, 980), rng.randint(1990, 2024)
    question = f"How much power does plant {number} give, and since when?"
    url = f"https://plants.example/plant-{number}"
    page = f"Plant {number} opened in {year}. It gives {output} megawatts and feeds {output * 7} homes."
    report = (
        f"# Plant {number}\n\nThe plant gives **{output} megawatts** [1].\n\nIt opened in {year} [1].\n\n"
        f"- It feeds {output * 7} homes [1].\n- No outage was found.\n\n"
        f"The figure of {output} megawatts is the rated output.\n\n## Sources\n\n[1] {url}\n"
    )
    search = ToolCall("c1", "search", "search", {"query": f"plant {number} output"})
    visit = ToolCall("c2", "open_page", "visit", {"url": url})
    steps = (
        Step(role="user", text=question),
        Step(role="assistant", text="I will look it up.", tool_calls=(search,)),
        Step(role="tool", tool_results=(ToolResult("c1", f"1. Plant {number}\n   {url}\n   {page[:40]}"),)),
        Step(role="assistant", tool_calls=(visit,)),
        Step(role="tool", tool_results=(ToolResult("c2", page),)),
        Step(role="assistant", text=report),
    )
    trajectory = Trajectory(question, question_key(question), run, "test-agent", steps, report, outcome="completed")
    return GradingCase(question=question, report=report, trajectory=trajectory)


def facts_in(case: GradingCase) -> tuple[str, str]:
    """The two figures that the report of `research_case` must hold: megawatts and year."""
    assert case.trajectory is not None
    page = case.trajectory.steps[4].tool_results[0].text
    words = page.split()
    return words[words.index("gives") + 1], words[4].rstrip(".")
