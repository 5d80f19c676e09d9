"""Plan, research or synthesis: the phase of every step, by rules, with a confidence.

The confidence is a careful estimate of the share of steps under that rule on which a person who labels them agrees;
docs/decisions/0011 has the counts, and says which rules no label has met yet. A tool's answer has the phase of its
call; a message that the agent did not write has the phase of the step that answers it.
"""

from collections.abc import Sequence
from itertools import accumulate
from re import IGNORECASE, MULTILINE
from typing import NamedTuple

from workbench.phases.agent_roles import role_of
from workbench.phases.lazy import Pattern
from workbench.phases.tool_words import Guess, of_call, writes
from workbench.schema.analysis import StepPhase
from workbench.schema.trajectory import Step, ToolCall, Trajectory

# A text this long, with structure, between searches is a draft of the report and not a remark.
DRAFT_CHARS = 1200
QUESTION_CHARS = 300

_PLAN_WORDS = Pattern(
    r"\bplan\b|\bfirst,? (?:i|let|we)|\bnext,? (?:i|let|we)|\bi(?:'ll| will| need to| should)\b|\blet me\b|\blet's\b"
    r"|\bsteps?\b\s*(?:\d|:)|\bstrategy\b|\bapproach\b|\boutline\b|\brevis"
    r"|\bbefore i (?:start|begin)|\bsub-?questions?\b"
    r"|计划|首先|接下来|下一步|步骤|思路|大纲|我将|我会|我需要|让我",
    IGNORECASE,
)
# To be "unable to provide" is an answer, to ask a person to provide something is not.
_ASKS = Pattern(
    r"[?？]|(?<!unable to )(?<!not able to )(?<!cannot )(?<!can't )\b(?:provide|specify)\b|\bplease tell me\b"
    r"|\bneed (?:your|the)\b|请提供|请告诉",
    IGNORECASE,
)
_MAKES_REPORT = Pattern(
    r"\b(?:write|writing|draft|compile|create|generate|finali[sz]e|synthesi[sz]e|count|check|outline)\b[^.\n]{0,80}"
    r"\b(?:reports?|article|answer|words?|word count)\b|(?:撰写|生成|编写|整理|完成)[^。\n]{0,30}(?:报告|文章|答案)",
    IGNORECASE,
)
_ITEM = Pattern(r"^[ \t]{0,6}(?:\d{1,2}[.)、]|[-*•])[ \t]", MULTILINE)
_HEADING = Pattern(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*\n]{2,80}\*\*\s*$|[一二三四五六七八九十]{1,3}、)", MULTILINE)


def segment(trajectory: Trajectory) -> tuple[StepPhase, ...]:
    """One phase for each step, in order."""
    steps = trajectory.steps
    own = {position: Guess("research", 0.0) for position, step in enumerate(steps) if step.role == "assistant"}
    context = Context.of(trajectory)
    for position in own:
        own[position] = _agent_step(steps[position], position, context)
    guesses = _spread(steps, own)
    return tuple(StepPhase(position, guess.phase, guess.confidence) for position, guess in enumerate(guesses))


class Context(NamedTuple):
    """What a rule must know of the rest of the run; -1 stands for nowhere.

    `first_research`/`last_research`: the first and last step that searched or opened a page, or in a run without such
    a step the ones that read something by another tool. `writing`: the first step after the last search that wrote by
    a tool. `team`: several agents acted. `turns`: for each step how often a person had spoken.
    """

    steps: Sequence[Step]
    first_research: int
    last_research: int
    last_web: int
    writing: int
    report: int
    last_agent: int
    has_report: bool
    cut_off: bool
    team: bool
    turns: Sequence[int]

    @staticmethod
    def of(trajectory: Trajectory) -> "Context":
        steps = trajectory.steps
        agent = [position for position, step in enumerate(steps) if step.role == "assistant"]
        web = [p for p in agent if _searches(steps[p])]
        research = web or [p for p in agent if any(of_call(call).phase == "research" for call in steps[p].tool_calls)]
        last = web[-1] if web else len(steps)
        wrote = (p for p in agent if p > last and any(writes(call) for call in steps[p].tool_calls))
        return Context(
            steps=steps,
            first_research=research[0] if research else -1,
            last_research=research[-1] if research else -1,
            last_web=web[-1] if web else -1,
            writing=next(wrote, -1),
            report=_report_step(trajectory, agent),
            last_agent=agent[-1] if agent else -1,
            has_report=bool(trajectory.report.strip()),
            cut_off=trajectory.outcome in ("truncated", "failed"),
            team=len({steps[p].agent for p in agent}) > 1,
            turns=list(accumulate(step.role == "user" and not step.tool_results for step in steps)),
        )

    def answers_user(self, position: int) -> bool:
        """Whether a person speaks next, so that the step was said to them."""
        return position + 1 < len(self.steps) and self.turns[position + 1] > self.turns[position]

    def follows_user(self, position: int) -> bool:
        """Whether a person spoke right before, so that nothing was looked up in between."""
        return position > 0 and self.steps[position - 1].role == "user" and not self.steps[position - 1].tool_results


def _searches(step: Step) -> bool:
    return any(call.kind in ("search", "visit") for call in step.tool_calls)


def _report_step(trajectory: Trajectory, agent: Sequence[int]) -> int:
    """The last agent step that holds the report, or most of whose text the report is; -1 if none does."""
    report = trajectory.report.strip()
    if not report:
        return -1
    for position in reversed(agent):
        text = trajectory.steps[position].text.strip()
        if text and (report in text or (len(text) >= 40 and text in report and len(text) * 2 >= len(report))):
            return position
    return -1


def _agent_step(step: Step, position: int, context: Context) -> Guess:
    if position == context.report:
        return Guess("synthesis", 0.95 if not step.tool_calls else 0.7)
    if context.team and (of_role := _by_role(step, position, context)):
        return of_role
    if step.tool_calls:
        return _calling_step(step, position, context)
    if not step.text.strip() and not step.reasoning.strip():
        return Guess("research" if position < context.last_research else "synthesis", 0.3)
    if context.answers_user(position):
        asks = _ASKS().search(step.text[-QUESTION_CHARS:]) is not None and len(step.text) < DRAFT_CHARS
        return Guess("plan", 0.85) if asks and context.follows_user(position) else Guess("synthesis", 0.85)
    if context.first_research < 0:
        return _without_research(step, position, context)
    if position < context.first_research:
        return Guess("synthesis", 0.6) if _is_draft(step.text) else Guess("plan", 0.85)
    if position > context.last_research:
        return _after_research(step, position, context)
    return _between_searches(step)


def _by_role(step: Step, position: int, context: Context) -> Guess | None:
    """What the agent's place in a team says; None where the step's own shape says more.

    A search is a search whoever makes it. A researcher's own account of what it found is research, long or not: the
    report is another's. One that plans for the others may yet write the report.
    """
    role = role_of(step.agent)
    if role is None or _searches(step) or not (step.text.strip() or step.tool_calls):
        return None
    if role == "plan":
        return None if context.first_research in range(position) and _is_draft(step.text) else Guess("plan", 0.85)
    if role == "synthesis":
        return Guess("synthesis", 0.85)
    return None if step.tool_calls else Guess("research", 0.8)


def _calling_step(step: Step, position: int, context: Context) -> Guess:
    """The strongest call decides: a search beats a plan, which beats a write. A plan or a draft beside it lowers it."""
    guesses = [of_call(call) for call in step.tool_calls]
    phases = {guess.phase for guess in guesses}
    if not _searches(step) and phases != {"plan"} and _delivers(step, position, context):
        return Guess("synthesis", 0.8)
    if position <= context.first_research and _sets_out(step.text):
        return Guess("research", 0.65) if _searches(step) else Guess("plan", 0.65)
    for phase in ("research", "plan", "synthesis"):
        best = max((guess.confidence for guess in guesses if guess.phase == phase), default=0.0)
        if best:
            mixed = len(phases) > 1 or (phase != "synthesis" and _is_draft(step.text))
            return Guess(phase, best - (0.2 if mixed else 0.0))
    return Guess("research", 0.5)


def _delivers(step: Step, position: int, context: Context) -> bool:
    """Whether a call that neither searches nor plans serves the report: made, checked or handed over after research.

    In a run that never searched the web such calls are its research, and a person's next wish begins anew.
    """
    if position < context.last_web or context.last_web < 0:
        return False
    if 0 <= context.writing < position and context.turns[context.writing] == context.turns[position]:
        return True
    return 0 <= context.report < position or _MAKES_REPORT().search(step.text[:2000]) is not None


def _sets_out(text: str) -> bool:
    """Whether a text lays out a plan: it says so and lists at least three items."""
    return len(_ITEM().findall(text[:6000])) >= 3 and _PLAN_WORDS().search(text[:1000]) is not None


def _without_research(step: Step, position: int, context: Context) -> Guess:
    """A conversation or an answer from memory: the last word is the answer."""
    if position == context.last_agent:
        return Guess("synthesis", 0.6 if context.cut_off else 0.85)
    if _is_draft(step.text):
        return Guess("synthesis", 0.7)
    return Guess("plan", 0.6) if _PLAN_WORDS().search(step.text or step.reasoning) else Guess("synthesis", 0.5)


def _between_searches(step: Step) -> Guess:
    """More research follows: a draft, a revised plan, or a remark on what was found."""
    if _is_draft(step.text):
        return Guess("synthesis", 0.7)
    if _PLAN_WORDS().search((step.text or step.reasoning)[:4000]):
        return Guess("plan", 0.6)
    return Guess("research", 0.55)


def _after_research(step: Step, position: int, context: Context) -> Guess:
    if position == context.last_agent and not context.has_report and context.cut_off and not _is_draft(step.text):
        return Guess("research", 0.5)
    if position < context.last_agent and not _is_draft(step.text) and _PLAN_WORDS().search(step.text[:4000]):
        return Guess("plan", 0.55)
    return Guess("synthesis", 0.85)


def _is_draft(text: str) -> bool:
    """Long and structured as a report is: several headings, or paragraphs without a word of planning."""
    if len(text) < DRAFT_CHARS:
        return False
    headings = sum(1 for _ in zip(_HEADING().finditer(text), range(2), strict=False))
    return headings >= 2 or (text.count("\n\n") >= 3 and not _PLAN_WORDS().search(text[:400]))


def _spread(steps: Sequence[Step], own: dict[int, Guess]) -> list[Guess]:
    """Gives the steps that the agent did not write the phase of the step they answer, or that answers them."""
    by_call: dict[str, Guess] = {}
    guesses: list[Guess | None] = []
    last: Guess | None = None
    for position, step in enumerate(steps):
        if position in own:
            last = own[position]
            by_call.update((call.id, _of_result(call, last)) for call in step.tool_calls)
            guesses.append(last)
        elif step.role == "tool" or step.tool_results:
            answered = [by_call[result.call_id] for result in step.tool_results if result.call_id in by_call]
            guesses.append(answered[0] if answered else last)
        else:
            guesses.append(None)
    following: Guess | None = None
    for position in range(len(steps) - 1, -1, -1):
        if position in own:
            following = own[position]
        elif guesses[position] is None:
            guesses[position] = following or last
    return [guess or Guess("plan", 0.3) for guess in guesses]


def _of_result(call: ToolCall, step: Guess) -> Guess:
    """A result of a step that did several things has the phase of its own call."""
    guess = of_call(call)
    return guess if guess.phase != step.phase else step
