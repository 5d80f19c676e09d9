"""What raters read behind votes: its style, for ratings with style held equal."""

from workbench.human.ratings.style import StyleCounts, style_of
from workbench.human.rounds.page import AS_WRITTEN, PageForm, page_of
from workbench.human.rounds.shown import text_shown
from workbench.human.votes import ROUND_SOURCE, CountedVotes
from workbench.store import Store


def styles_behind(store: Store, counted: CountedVotes) -> list[tuple[StyleCounts, StyleCounts] | None]:
    """Of each vote the style of model_a's and of model_b's text as its round showed it (the report, or its rewrite).

    None for an imported vote, and for one on research, which shows no text of an author's.
    """
    pages: dict[str, PageForm] = {}
    known: dict[tuple[PageForm, str], StyleCounts] = {}

    def style(page: PageForm, identity: str) -> StyleCounts:
        if (page, identity) not in known:
            known[page, identity] = style_of(text_shown(store, page, identity))
        return known[page, identity]

    found: list[tuple[StyleCounts, StyleCounts] | None] = []
    for vote, pair in zip(counted.votes, counted.shown, strict=True):
        if vote.source not in pages:
            round_id = vote.source.removeprefix(ROUND_SOURCE)
            is_round = round_id != vote.source
            pages[vote.source] = page_of(store.human.round(round_id).settings) if is_round else AS_WRITTEN
        page = pages[vote.source]
        read = pair is not None and page.shows != "research"
        found.append((style(page, pair[0]), style(page, pair[1])) if pair is not None and read else None)
    return found
