"""What an agent of a team is for, by the words of its name: a planner plans, a reporter writes the report."""

from functools import lru_cache

from workbench.phases.tool_words import words_of
from workbench.schema.analysis import Phase

_PLANS = frozenset(
    {"planner", "planning", "coordinator", "orchestrator", "supervisor", "manager", "router", "triage", "moderator"}
)
_WRITES = frozenset(
    {"reporter", "writer", "author", "editor", "composer", "synthesizer", "synthesiser", "publisher", "reporting"}
)
_RESEARCHES = frozenset(
    {"researcher", "research", "searcher", "search", "surfer", "browser", "crawler", "scraper", "retriever", "coder"}
    | {"analyst", "analyser", "analyzer", "investigator", "explorer", "scout", "websurfer", "filesurfer"}
)


@lru_cache(maxsize=1024)
def role_of(agent: str) -> Phase | None:
    """The phase that an agent of this name is for; None where its name does not say.

    Planning wins over writing, and writing over research: a research planner plans.
    """
    words = words_of(agent)
    if words & _PLANS:
        return "plan"
    if words & _WRITES:
        return "synthesis"
    return "research" if words & _RESEARCHES else None
