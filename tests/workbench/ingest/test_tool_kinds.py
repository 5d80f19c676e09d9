"""Names of tools found in public traces, and what each is for."""

import pytest

from workbench.ingest.tool_kinds import tool_kind


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("search", "search webSearch Web-Search google_search duckduckgo_search browser.search wikipedia_lookup"),
        ("visit", "visit visit_url fetch web_fetch open_page browser.open web_browser_go jina_reader scrape_url click"),
        ("code", "python PythonInterpreter execute_ipython_cell execute_bash code_interpreter"),
        (
            "search",
            "rag_search rag_get_context local_search_tool search_documents web-search GoogleSearch tavily_search",
        ),
        ("visit", "scrape_website crawl_tool wiki_get_page_content browse open_url find_in_page browse_webpage"),
        ("code", "python_repl_tool run_python_code create_sandbox run_command code_execution python_interpreter"),
        ("other", "write_file write_todos handoff_to_planner ask_clarification convert_to_markdown visual_qa"),
        ("other", "think calculate read_file delegate_research research get_user_details final_answer reopen '' 天気"),
    ],
)
def test_kind_follows_the_words_of_the_name(kind: str, names: str) -> None:
    assert {name: tool_kind(name) for name in names.split()} == dict.fromkeys(names.split(), kind)
