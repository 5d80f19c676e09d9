"""The research panel: queries with near-duplicates grouped, sites by what became of them, breadth over the steps."""

from typing import Any

from workbench.phases.near import MOST_QUERIES
from workbench.reading.shared_research import query_sets, research_of, site_rows
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Trajectory
from workbench.ui.components.visible import visible


def research_data(trajectory: Trajectory, citations: tuple[Citation, ...]) -> dict[str, Any]:
    """All of it, uncut. `breadth`: the steps at which one more thing was asked, one more site opened."""
    own = research_of(trajectory, citations)
    groups = query_sets([own]).groups
    first_open: dict[str, int] = {}
    for page in own.pages:
        first_open.setdefault(page.site, page.step)
    return {
        "grouped": len(own.queries) <= MOST_QUERIES,
        "most": MOST_QUERIES,
        "queries": [
            [{"text": visible(asked.text), "step": asked.step} for asked in group.by_attempt[0]] for group in groups
        ],
        "sites": [
            {
                "site": visible(row.site),
                "pages": [{"url": visible(page.url), "step": page.step} for page in row.pages[0]],
                "seen": row.seen[0],
                "cited": row.cited[0],
            }
            for row in site_rows([own])
        ],
        "breadth": {
            "queries": sorted(min(asked.step for asked in group.by_attempt[0]) for group in groups),
            "sites": sorted(first_open.values()),
        },
    }
