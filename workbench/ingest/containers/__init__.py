"""Files that are not JSON text. A new kind is one module here and one line below."""

from workbench.ingest.containers import inspect_eval, markdown_article, parquet, sse, text_log, vcr_yaml
from workbench.ingest.containers.container import Container

CONTAINERS: tuple[Container, ...] = (
    parquet.CONTAINER,
    inspect_eval.CONTAINER,
    sse.CONTAINER,
    vcr_yaml.CONTAINER,
    text_log.CONTAINER,
    markdown_article.CONTAINER,
)


def container_of(head: bytes, name: str) -> Container | None:
    """The container whose first bytes these are, None for JSON text and everything unknown."""
    return next((container for container in CONTAINERS if container.detect(head, name)), None)
