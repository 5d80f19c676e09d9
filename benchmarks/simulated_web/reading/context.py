"""Who a sentence speaks of where it does not say so."""

import re
from collections.abc import Mapping, Sequence

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import entity_types
from benchmarks.simulated_web.reading.lexicon import Mention
from benchmarks.simulated_web.reading.text import Sentence

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "river": ("waterway", "stream"),
    "city": ("town", "municipality"),
    "company": ("firm", "enterprise", "manufacturer", "builder", "operator"),
    "institute": ("academy", "university", "school"),
    "bridge": ("crossing", "span", "structure"),
    "dam": ("barrage", "structure"),
    "vehicle": ("train", "unit", "model", "vehicle"),
    "museum": ("house", "collection"),
}
_PRONOUN = re.compile(r"\b(it|its|they|their|this|which)\b", re.IGNORECASE)


def _refers_to(text: str, type_key: str) -> bool:
    """Whether the text says "the bridge" or the like."""
    nouns = "|".join((entity_types()[type_key].short, *SYNONYMS[type_key]))
    # In lower case: "the River Tessen" is a name.
    return re.search(rf"\b([Tt]he|[Tt]his|[Tt]hat)\s+({nouns})\b", text) is not None


class Focus:
    """Follows a report sentence by sentence. A heading opens a new context, a paragraph keeps the one before it."""

    def __init__(self, graph: Graph, topics: Sequence[str]) -> None:
        self._topics = {entity: graph.entity[entity].type_key for entity in topics if entity in graph.entity}
        self._heading_text = ""
        self._heading: list[Mention] = []
        self._recent: list[Mention] = []
        self._sentence: Sentence | None = None

    def enter(self, sentence: Sentence, heading: list[Mention]) -> None:
        if sentence.heading != self._heading_text:
            self._heading_text, self._recent = sentence.heading, []
        self._heading = heading
        self._sentence = sentence

    def leave(self, mentions: list[Mention]) -> None:
        """Remembers the names of the sentence, its first one (mostly its subject) as the latest."""
        self._recent = [*self._recent, *reversed(mentions)][-12:]

    def subject(self, text: str, type_key: str, named_types: Sequence[str]) -> str | None:
        """The entity of this type that a sentence without its name is about, None where nothing says.

        Asked only where the sentence names none of the type. Either it refers back ("it", "the bridge") or it says no
        name at all ("Length: 1,240 m").
        """
        refers = _refers_to(text, type_key)
        if not refers and any(_refers_to(text, other) for other in entity_types()):
            return None
        in_heading = list(dict.fromkeys(m.entity for m in self._heading if m.type_key == type_key and m.entity))
        elliptic = not named_types or self._sentence is None or self._sentence.kind != "prose"
        if not refers and not elliptic and not _PRONOUN.search(text):
            return in_heading[0] if len(in_heading) == 1 else None
        recent = [m for m in self._recent if m.entity or not refers]
        of_type = [m for m in recent if m.type_key == type_key]
        if refers and of_type:
            return of_type[-1].entity
        if recent and recent[-1].type_key == type_key:
            return recent[-1].entity
        if len(in_heading) == 1:
            return in_heading[0]
        if of_type:
            return of_type[-1].entity
        topics = [entity for entity, kind in self._topics.items() if kind == type_key]
        return topics[0] if len(topics) == 1 and not any(not m.entity for m in recent[-1:]) else None
