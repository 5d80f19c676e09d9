"""A gap between two teams of a researcher and a writer, divided between the two phases (Shapley value of two players).

Source: Shapley 1953, "A Value for n-Person Games". With v(r, w) the score of research r written up by writer w:

    phi_research = (v(B, a) - v(A, a) + v(B, b) - v(A, b)) / 2
    phi_writing  = (v(A, b) - v(A, a) + v(B, b) - v(B, a)) / 2
    gap          = v(B, b) - v(A, a) = phi_research + phi_writing
    interaction  = v(B, b) - v(B, a) - v(A, b) + v(A, a)
"""

from typing import NamedTuple


class Shares(NamedTuple):
    """The gap from (A, a) to (B, b) and what each phase has of it."""

    gap: float
    research: float
    writing: float
    interaction: float


def shapley(aa: float, ab: float, ba: float, bb: float) -> Shares:
    """Shares of one question. The first letter is whose research, the second whose writer: `ab` = v(A, b)."""
    return Shares(
        gap=bb - aa,
        research=((ba - aa) + (bb - ab)) / 2,
        writing=((ab - aa) + (bb - ba)) / 2,
        interaction=bb - ba - ab + aa,
    )
