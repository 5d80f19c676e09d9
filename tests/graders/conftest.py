"""A scripted endpoint, and gateways to it that do not sleep for real."""

from collections.abc import Iterator

import pytest

from tests.graders.fake_endpoint import FakeEndpoint, fake_endpoint


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with fake_endpoint() as started:
        yield started


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may find a key of whoever runs it."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "WORKBENCH_ENDPOINT_KEY"):
        monkeypatch.delenv(name, raising=False)
