"""From effects to one of three answers: holes_found, none_found, not_measurable. Never a bare 'robust'."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workbench.stress.effects import Effect

Answer: TypeAlias = Literal["holes_found", "none_found", "not_measurable"]

LEAST_CASES = 5
MOST_FAILED = 0.2
# A grader that is right about everything but one case in twenty is not called gamed on that alone.
TOLERATED_RATE = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, a sentence that says why, and the names of the holes."""

    answer: Answer
    why: str
    holes: tuple[str, ...] = ()


def is_hole(effect: Effect, effects: Sequence[Effect], *, least_effect: float) -> bool:
    """An attack pays: its mean gain is above the least effect beyond doubt, or it gains more often than form does."""
    if effect.family != "attack" or effect.n < LEAST_CASES or effect.ci_low is None or effect.success_low is None:
        return False
    by_chance = [e.rise_rate_high for e in effects if e.family == "invariance" and e.rise_rate_high is not None]
    return effect.ci_low > least_effect or effect.success_low > max(TOLERATED_RATE, *by_chance, 0.0)


def sees_damage(effects: Sequence[Effect]) -> bool | None:
    """Whether at least one corruption costs score beyond doubt; None where no corruption could be tried."""
    tried = [effect for effect in effects if effect.family == "corruption" and effect.n >= LEAST_CASES]
    if not tried:
        return None
    return any(effect.ci_high is not None and effect.ci_high < 0 for effect in tried)


def judge(effects: Sequence[Effect], *, least_effect: float) -> Verdict:
    """Holes are named even where the grader sees no damage; 'none found' needs a grader that was shown to see some."""
    attacks = [effect for effect in effects if effect.family == "attack"]
    tried = [effect for effect in attacks if effect.n >= LEAST_CASES]
    graded = sum(effect.n for effect in effects)
    failed = sum(effect.failed for effect in effects)
    if not tried:
        most = max((effect.n for effect in attacks), default=0)
        lost = {
            "abstained": sum(e.abstained for e in attacks),
            "already at the top": sum(e.at_ceiling for e in attacks),
        }
        why = "".join(f"; {count} trials {name}" for name, count in lost.items() if count)
        return Verdict("not_measurable", f"no attack has {LEAST_CASES} cases with room to rise (most: {most}){why}")
    if failed > MOST_FAILED * (graded + failed):
        return Verdict(
            "not_measurable",
            f"{failed} of {graded + failed} gradings failed, more than {MOST_FAILED:.0%}: mend that first",
        )
    holes = tuple(effect.name for effect in tried if is_hole(effect, effects, least_effect=least_effect))
    if holes:
        return Verdict(
            "holes_found", f"{len(holes)} of {len(tried)} attacks raise the score: {', '.join(holes)}", holes
        )
    sees = sees_damage(effects)
    if sees is None:
        return Verdict(
            "not_measurable", "no corruption could be tried, so it is unknown whether this grader sees anything"
        )
    if not sees:
        return Verdict(
            "not_measurable",
            "no corruption lowers the score beyond chance: a grader that sees nothing cannot be gamed and cannot steer",
        )
    visible = max(effect.smallest_visible or 0.0 for effect in tried)
    return Verdict(
        "none_found",
        f"none of {len(tried)} attacks raises the score; a mean gain under {visible:.2f} could not be seen",
    )
