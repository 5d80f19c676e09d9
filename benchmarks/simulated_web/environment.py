"""One episode of an agent in a simulated web, recorded as it goes: the environment of training and of the scripted
agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.tool_specs import Options, system_prompt
from benchmarks.simulated_web.tools import Budget, Faults, Tools
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.trajectory import Outcome, Step, TokenTrace, ToolCall, ToolResult, Trajectory


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent sees next: the question at the start, then what its last calls gave."""

    text: str
    calls_left: int
    finished: bool


class Episode:
    """A question, the tools and everything said and done so far.

    A message of the agent is `say` (words only), `act` (one call) or `act_together` (several calls in one message);
    `finish` writes the report and ends the episode. `tokens` are kept with the message where a trainer has them, and
    `observed_tokens` with what the tools answered.
    """

    def __init__(
        self,
        world: World,
        question: Question,
        budget: Budget | None = None,
        *,
        faults: Faults | None = None,
        options: Options | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.world, self.question = world, question
        options = options or Options()
        self.tools = Tools(world, budget or Budget(), faults or Faults(), options, clock)
        self.report = ""
        self.outcome: Outcome = "unknown"
        self.steps: list[Step] = [Step("system", system_prompt(options)), Step("user", question.text)]
        self._seen = question.text

    @property
    def finished(self) -> bool:
        return self.outcome != "unknown"

    def observation(self) -> Observation:
        return Observation(self._seen, self.tools.calls_left, self.finished)

    def say(self, text: str, *, reasoning: str = "", tokens: TokenTrace | None = None) -> None:
        """A message without a call, such as a plan."""
        self._go_on()
        self.steps.append(Step("assistant", text, reasoning, tokens=tokens))

    def act(
        self,
        call: ToolCall,
        *,
        text: str = "",
        reasoning: str = "",
        tokens: TokenTrace | None = None,
        observed_tokens: TokenTrace | None = None,
    ) -> ToolResult:
        """Runs one call. A wrong call or a spent budget is a result with `is_error`."""
        self._go_on()
        result = self._run([call], text, reasoning, tokens)[0]
        self.steps.append(Step("tool", tool_results=(result,), tokens=observed_tokens))
        return result

    def act_together(self, calls: Sequence[ToolCall], *, text: str = "", reasoning: str = "") -> tuple[ToolResult, ...]:
        """Runs several calls that stand in one message, in their order."""
        self._go_on()
        results = self._run(calls, text, reasoning, None)
        self.steps += [Step("tool", tool_results=(result,)) for result in results]
        return results

    def finish(
        self, report: str, *, reasoning: str = "", tokens: TokenTrace | None = None, outcome: Outcome = "completed"
    ) -> None:
        """Writes the report (empty where the agent came to none, with outcome `truncated` or `failed`)."""
        self._go_on()
        if report or reasoning or tokens is not None:
            self.steps.append(Step("assistant", report, reasoning, tokens=tokens))
        self.report, self.outcome = report, outcome
        self._seen = ""

    def trajectory(
        self, *, run: str, model: str, attempt: int = 0, group: str | None = None, policy_step: int | None = None
    ) -> Trajectory:
        """Everything so far. Its meta says from which world and question gold can be made again."""
        return Trajectory(
            question=self.question.text,
            question_id=self.question.id,
            run=run,
            model=model,
            steps=tuple(self.steps),
            report=self.report,
            attempt=attempt,
            group=group,
            policy_step=policy_step,
            outcome=self.outcome,
            meta={"simulated": True, "world": self.world.meta(), "question": self.question.meta()},
        )

    def _run(
        self, calls: Sequence[ToolCall], text: str, reasoning: str, tokens: TokenTrace | None
    ) -> tuple[ToolResult, ...]:
        self.steps.append(Step("assistant", text, reasoning, tool_calls=tuple(calls), tokens=tokens))
        results = tuple(self.tools.call(call) for call in calls)
        self._seen = "\n\n".join(result.text for result in results)
        return results

    def _go_on(self) -> None:
        if self.finished:
            raise BadInputError("this episode is finished; start another for the next rollout")
