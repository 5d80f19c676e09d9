"""A rater's personal link. The store keeps the SHA-256 of its token; the token itself is shown once."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Invitation:
    """Shown once to the owner, who passes it on. Anyone who has the token rates as this rater."""

    round_id: str
    rater: str
    token: str
    expires_at: datetime


def new_token() -> str:
    """256 random bits, safe in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What the store keeps. A plain hash is enough: a token of 256 random bits cannot be guessed from it."""
    return hashlib.sha256(token.encode("utf-8", errors="backslashreplace")).hexdigest()


def link_of(invitation: Invitation, base_url: str) -> str:
    """The link for the rater; `base_url` is where the rater server is reached from their browser."""
    return f"{base_url.rstrip('/')}/r/{invitation.token}"
