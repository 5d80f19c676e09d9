"""Scripted trajectories as token sequences: their tool calls in the policy's grammar, what comes back in its view.

Calls are run again (the web is deterministic), so a sequence shows exactly what the policy would see in its place. The
report is the frozen writer's, made from exactly the evidence of that trajectory.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.tools import OPEN_PAGE, SEARCH
from training.environments import Surroundings, WebEpisode
from training.grammar import Action, ActionReader, Grammar, Open, Report, Search, action_tokens
from training.report import choose_claims
from training.rollouts import TokenPath
from workbench.schema.trajectory import ToolCall, Trajectory


@dataclass(frozen=True)
class Example:
    """A replayed trajectory: its tokens, and the episode that they made."""

    path: TokenPath
    episode: WebEpisode


def replay(around: Surroundings, grammar: Grammar, question: Question, trajectory: Trajectory) -> Example:
    """The research of a scripted trajectory, written in the policy's grammar.

    Left out: calls that failed, calls beyond the budget, queries without a known word, and addresses that
    no search of the trajectory showed (the policy has no way to name them).
    """
    episode = WebEpisode(around, question)
    path = TokenPath()
    path.observe(episode.prompt)
    failed = {r.call_id for step in trajectory.steps for r in step.tool_results if r.is_error}
    for call in (call for step in trajectory.steps for call in step.tool_calls if call.id not in failed):
        action = _action(episode, call)
        if action is not None and episode.reader().more:
            _write(around, grammar, episode, path, action)
    claims = choose_claims(episode.found) if around.own_report else ()
    _write(around, grammar, episode, path, Report(claims))
    return Example(path, episode)


def policy_share(paths: Sequence[TokenPath]) -> float:
    """Share of the tokens that the policy wrote, in [0, 1]: what a loss sees."""
    own = sum(len(s.ids) for path in paths for s in path.segments if s.own)
    return own / sum(path.length for path in paths)


def _action(episode: WebEpisode, call: ToolCall) -> Action | None:
    if call.name == SEARCH:
        words = episode.query_tokens(str(call.arguments.get("query", "")))
        return Search(words) if words else None
    if call.name == OPEN_PAGE:
        number = episode.address_number(str(call.arguments.get("url", "")))
        return Open(number) if number is not None else None
    return None


def _write(around: Surroundings, grammar: Grammar, episode: WebEpisode, path: TokenPath, action: Action) -> None:
    """Writes the action token by token, as the sampler would, so that each token knows its grammar row."""
    ids = action_tokens(around.tokenizer, action, own_report=around.own_report)
    reader: ActionReader = episode.reader()
    rows: list[int] = []
    for token in ids:
        rows.append(grammar.row(reader.place))
        reader.take(token)
    path.write(ids, rows)
    answer = episode.act(action)
    if answer:
        path.observe(answer)
