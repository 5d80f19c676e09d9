"""Which models the votes can put on one scale."""

from typing import Literal

from workbench.stats.estimate import FloatMatrix


def components(joined_MM: FloatMatrix, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Groups of models joined by any comparison, largest first. More than one: there is no common scale."""
    return _groups(joined_MM, names, connection="weak")


def unbeaten_groups(beat_MM: FloatMatrix, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Groups within which everyone is beaten (or tied), directly or in steps, by everyone, largest first.

    Strengths have a finite maximum of likelihood exactly if there is one such group (Ford 1957): between two of them
    all results go one way, and the best gap is infinite.
    """
    return _groups(beat_MM, names, connection="strong")


def _groups(
    graph: FloatMatrix, names: tuple[str, ...], *, connection: Literal["weak", "strong"]
) -> tuple[tuple[str, ...], ...]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not names:
        return ()
    count, labels = connected_components(csr_array(graph), directed=True, connection=connection)
    groups = [tuple(name for name, label in zip(names, labels, strict=True) if label == i) for i in range(count)]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))
