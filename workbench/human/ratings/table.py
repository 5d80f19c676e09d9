"""A table of ratings that carries what made it and what it cannot say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.human.agreement import RaterAgreement
from workbench.schema.canonical import JsonValue

RatingMethod: TypeAlias = Literal["bradley-terry", "davidson", "elo"]
RATING_METHODS: tuple[RatingMethod, ...] = ("bradley-terry", "davidson", "elo")
IntervalMethod: TypeAlias = Literal["sandwich", "bootstrap"]


@dataclass(frozen=True, slots=True)
class ModelRating:
    """One model. `rating` is on the Elo scale, None where the votes put no number on it; the notes say why.

    The interval is of the distance to the mean of all models in the table. `win_score` = (wins + ties / 2) / votes.
    `running_elo` depends on the order of the votes; it too is None where models share no scale.
    """

    name: str
    rating: float | None
    ci_low: float | None
    ci_high: float | None
    wins: int
    ties: int
    losses: int
    win_score: float
    running_elo: float | None

    @property
    def n(self) -> int:
        return self.wins + self.ties + self.losses

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "rating": self.rating,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "win_score": self.win_score,
            "running_elo": self.running_elo,
        }


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings, best first. `problems` are reasons not to read a number as it stands; empty if there are none.

    `groups` lists models that share a scale: one group is the normal case. `nu` is Davidson's tie parameter.
    """

    method: RatingMethod
    ratings: tuple[ModelRating, ...]
    n_ballots: int
    agreement: RaterAgreement
    verdicts: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()
    problems: tuple[str, ...] = ()
    interval: str = "none"
    n_clusters: int | None = None
    level: float = 0.95
    seed: int = 0
    prior: float = 0.0
    nu: float | None = None

    @property
    def depends_on_order(self) -> bool:
        """True for the running Elo: the same votes in another order give another table."""
        return self.method == "elo"

    def to_json(self) -> dict[str, JsonValue]:
        """The contracted keys `method n_ballots ratings agreement`, and what made them."""
        return {
            "method": self.method,
            "n_ballots": self.n_ballots,
            "ratings": [rating.to_json() for rating in self.ratings],
            "agreement": self.agreement.to_json(),
            "verdicts": dict(self.verdicts),
            "groups": [list(group) for group in self.groups],
            "problems": list(self.problems),
            "interval": self.interval,
            "n_clusters": self.n_clusters,
            "level": self.level,
            "seed": self.seed,
            "prior": self.prior,
            "nu": self.nu,
            "depends_on_order": self.depends_on_order,
        }
