"""Ratings from votes: Bradley-Terry on the Elo scale, Davidson, and the classic running Elo."""

from workbench.human.ratings.rating import rate
from workbench.human.ratings.table import ModelRating, RatingTable

__all__ = ["ModelRating", "RatingTable", "rate"]
