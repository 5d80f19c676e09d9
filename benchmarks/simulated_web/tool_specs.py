"""What the tools of the simulated web are called, what they take, and what an episode may have switched on."""

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.trajectory import ToolKind

SEARCH = "search"
OPEN_PAGE = "open_page"
FIND = "find_in_page"
KINDS: Mapping[str, ToolKind] = {SEARCH: "search", OPEN_PAGE: "visit", FIND: "other"}
MOST_AUTHORITY = 200


@dataclass(frozen=True, slots=True)
class Options:
    """What the tools do beyond searching and opening; the default is search and open alone.

    `typos`: a word of a query that no page holds stands for the commonest word one edit away. `paging`: search takes a
    `page`. `find`: there is find_in_page. `authority`: percent by which the best-regarded site's pages are raised.
    `cache`: what was answered once in an episode is answered again without a fault and at no time, as a call still.
    """

    typos: bool = False
    paging: bool = False
    find: bool = False
    authority: int = 0
    cache: bool = False


def tool_specs(options: Options) -> tuple[JsonObject, ...]:
    """The tools as OpenAI-style function definitions."""
    query: dict[str, JsonValue] = {"query": _text("words to search for")}
    told = "Search the web. Gives titles, addresses and short extracts of the best matching pages."
    if options.paging:
        told += " `page` 2 gives the next best, and so on."
        query["page"] = {"type": "integer", "minimum": 1, "description": "page of results, 1 where it is left out"}
    specs = [
        _function(SEARCH, told, query, ["query"]),
        _function(
            OPEN_PAGE, "Open a page by its address and read its text.", {"url": _text("full address of the page")}
        ),
    ]
    if options.find:
        about = "Find words in a page that you have opened. Gives the passages that hold them."
        asked = {"url": _text("full address of an opened page"), "text": _text("words to find")}
        specs.append(_function(FIND, about, asked))
    return tuple(specs)


def tool_names(options: Options) -> tuple[str, ...]:
    return (SEARCH, OPEN_PAGE, FIND) if options.find else (SEARCH, OPEN_PAGE)


def system_prompt(options: Options) -> str:
    """What an agent is told of its task and its tools."""
    tools = "two tools, search(query) and open_page(url),"
    if options.find:
        tools = "three tools, search(query), open_page(url) and find_in_page(url, text),"
    return (
        f"You research questions on the web with {tools} and then write one report in "
        "markdown with numbered citations and a list of sources."
    )


def _text(description: str) -> JsonObject:
    return {"type": "string", "description": description}


def _function(
    name: str, description: str, properties: Mapping[str, JsonValue], required: list[str] | None = None
) -> JsonObject:
    needed: list[JsonValue] = list(required or properties)
    parameters: JsonObject = {"type": "object", "properties": dict(properties), "required": needed}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


# The tools of an episode that switches nothing on.
TOOL_SPECS = tool_specs(Options())
