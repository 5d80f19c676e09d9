"""What the environment decides: where the store is, which keys are set (their names, never their values)."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

DEFAULT_STORE_URL = "sqlite:///workbench.db"

# Names only. A key's value is read by the client library that needs it and never passes through the workbench.
MODEL_KEY_NAMES: tuple[str, ...] = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "DEEPSEEK_API_KEY",
    "MOONSHOT_API_KEY",
    "OPENROUTER_API_KEY",
    "BASETEN_API_KEY",
    # For an endpoint given by its address (--base-url): a provider's own key is never sent to one.
    "WORKBENCH_ENDPOINT_KEY",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Read once at the edge and passed down."""

    store_url: str
    checkout: Path


def load_settings(store_url: str | None = None) -> Settings:
    """`store_url`, else the variable WORKBENCH_STORE, else a SQLite file in the current folder."""
    url = store_url or os.environ.get("WORKBENCH_STORE") or DEFAULT_STORE_URL
    return Settings(store_url=url, checkout=Path(__file__).resolve().parent.parent)


def model_keys_present() -> dict[str, bool]:
    """Which model keys the environment has, by name. Values are never read out."""
    return {name: bool(os.environ.get(name)) for name in MODEL_KEY_NAMES}


def describe_url(url: str) -> str:
    """The store's address without a password, for people and logs."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    user_and_host = parts.netloc.rsplit("@", 1)
    return urlunsplit(parts._replace(netloc=f"{parts.username}:***@{user_and_host[-1]}"))
