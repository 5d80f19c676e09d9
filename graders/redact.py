"""Takes secrets out of any text that may be stored, logged or shown."""

import os
import re

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTHORIZATION", re.IGNORECASE)
_SHORTEST = 8
_LOOKS_SECRET = re.compile(
    r"(?P<lead>\b(?:Bearer|Basic)\s+|\b(?:api[-_]?key|x-api-key|access_token|key|token|authorization)[\"']?\s*[=:]\s*[\"']?)"
    r"(?P<secret>[A-Za-z0-9._~+/=-]{8,})"
    r"|\b(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_-]{8,}\b"
    r"|\bAIza[A-Za-z0-9_-]{20,}\b"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """The text without the value of any secret of the environment and without what looks like a key.

    A secret is the value of a variable whose name speaks of a key, token, secret, password or credential.
    """
    for name, value in secrets_of_environment():
        text = text.replace(value, f"[{name}]")
    return _LOOKS_SECRET.sub(lambda match: (match.group("lead") or "") + "[redacted]", text)


def secrets_of_environment() -> list[tuple[str, str]]:
    """(name, value), longest values first, so that a secret that contains another goes whole."""
    found = [
        (name, value) for name, value in os.environ.items() if _SECRET_NAME.search(name) and len(value) >= _SHORTEST
    ]
    return sorted(found, key=lambda item: -len(item[1]))


def redact_known(text: str) -> str:
    """As `redact`, for text that may rightly speak of keys (a model's reply): only values of the environment go."""
    for name, value in secrets_of_environment():
        text = text.replace(value, f"[{name}]")
    return text
