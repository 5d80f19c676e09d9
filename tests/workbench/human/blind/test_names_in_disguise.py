"""Names of the round in every spelling a report would use, and ordinary words left alone. All texts are our own."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workbench.human.blind.test_rendering import Tags
from workbench.human.blind.folding import fold
from workbench.human.blind.masking import Masker
from workbench.human.blind.names import patterns_of
from workbench.human.blind.rendering import render

SPELLINGS = [
    (
        "claude-3-7-sonnet-latest",
        "Claude 3.7 Sonnet|claude-3-7-sonnet-latest|claude_3_7_sonnet|Claude 3.7|Claude-3.7-Sonnet-20250219|Claude3.7"
        "|claude37sonnet|Claude Sonnet 3.7|Claude Sonnet|Sonnet 3.7|3.7 Sonnet|Anthropic's Claude 3.7 Sonnet"
        "|anthropic/claude-3.7-sonnet|CLAUDE 3·7 SONNET",
    ),
    (
        "Qwen2.5-7B-Instruct",
        "Qwen2.5|Qwen 2.5|qwen2-5-7b-instruct|Qwen/Qwen2.5-7B-Instruct|Qwen_2.5_7B|QWEN 2.5 7B Instruct|Qwen25",
    ),
    (
        "gpt-4o-mini",
        "GPT-4o|gpt 4o mini|GPT4o|gpt_4o_mini|ChatGPT-4o|OpenAI GPT-4o mini|GPT-4o-mini-2024-07-18|gpt.4o.mini"
        "|ＧＰＴ-4o-mini|gрt-4o|g\u00adpt-4o-mini|G\u200bP\u200bT-4o|g&shy;pt-4o|gpt&#45;4o|gpt‑4o|GΡΤ-4ο|ɢᴘᴛ-4o|G\u0332PT-4o",
    ),
    ("openrouter/google/gemini-2.0-flash-001", "Gemini 2.0 Flash|Google Gemini 2 Flash|gemini-2.0-flash|Gemini Flash"),
    ("deepseek-r1", "DeepSeek-R1|DeepSeek R1|deepseekr1|DeepSeek-R1-Distill"),
    ("meta-llama/Llama-v3p1-8B-Instruct", "Llama 3.1|llama-3-1|Llama 3.1 8B Instruct|meta-llama/Llama-3.1-8B"),
    ("run_2_o3-mini", "o3|o3-mini|OpenAI o3-mini|run 2 o3 mini"),
    ("harbour-pilot-2-7b-instruct", "Harbour Pilot 2|harbour_pilot_2_7b|HarbourPilot2|harbour pilot 2 7b instruct"),
]
CASES = [(name, spelling) for name, spellings in SPELLINGS for spelling in spellings.split("|")]
FRAMES = ["As {}, I looked.", "Report by {}", "It was written by {}.", "({}) says so", "Tests of {}, and others."]


@pytest.mark.parametrize(("name", "spelling"), CASES)
def test_every_spelling_of_an_own_name_is_masked_as_a_whole(name: str, spelling: str) -> None:
    masker = Masker([name])
    assert [masker.mask(frame.format(spelling)) for frame in FRAMES] == [frame.format("[model]") for frame in FRAMES]


@pytest.mark.parametrize(
    "report",
    ["G**PT**-4o", "g&shy;pt-4o", "g&#x200B;pt-4o-mini", "`gpt-4o`", "**GPT**-*4o* mini", "g&ZeroWidthSpace;pt-4o"],
)
def test_a_name_broken_by_markdown_or_entities_is_masked_on_the_page(report: str) -> None:
    tags = Tags()
    tags.feed(render(report, Masker(["gpt-4o-mini"])))
    assert tags.text == "[model]"


@pytest.mark.parametrize(
    "text",
    [
        "Claude 3.5 Sonnet and Claude Sonnet 3.5 are other models, as are Qwen3 and GPT-4.1.",
        "Shakespeare's sonnet 18 and Claude Monet. The Qwen family grew; GPT is a word for it. See page 2.5, 7B.",
        "Anthropic said that Claude sells well; OpenAI and Alibaba grew 3.7 percent.",
        "Written by many, Qwen is discussed; &shy; &amp; ＡＢＣ and Кіт stay as they are.",
    ],
)
def test_reports_about_the_family_stay_whole(text: str) -> None:
    assert Masker(["claude-3-7-sonnet-latest", "Qwen2.5-7B-Instruct"]).mask(text) == text


ORDINARY = ("broad", "a", "report", "model", "step_2", "v2", "base", "Vessel-7B", "as", "new", "final_run", "seed_1_7b")


@pytest.mark.parametrize(
    "text",
    [
        "A broad report, step 2 of the base model. Broad agreement. Step 2: the final run.",
        "As a broad overview, I list the new vessel. Vessel traffic rose. Version V2 weighs 7B.",
        "This report was written by a model. I am new to this. I am a researcher. As a report, it is long.",
        "# Report\n\n## A model\n\nSeed 1 grew in a base.",
    ],
)
def test_ordinary_words_are_not_masked_because_a_run_is_called_so(text: str) -> None:
    assert Masker(ORDINARY).mask(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Written by Broad.", "Written by [model]."),
        ("Author: **broad**", "Author: **[model]**"),
        ("As Vessel, I looked.", "As [model], I looked."),
        ("My name is Broad.", "My name is [model]."),
        ("The files of step_2 and step-2.", "The files of [model] and [model]."),
        ("This report was written by Claude.", "This report was written by [model]."),
    ],
)
def test_ordinary_words_are_masked_where_they_name_the_author(text: str, masked: str) -> None:
    assert Masker(ORDINARY).mask(text) == masked


@pytest.mark.parametrize("name", ["a", "report", "broad", "v2", "7b", "", "-", "model"])
def test_words_that_are_not_model_like_are_masked_nowhere_by_themselves(name: str) -> None:
    assert patterns_of(name) == ()


def test_versions_of_models_outside_the_round_are_masked_with_their_name_in_self_reference() -> None:
    masker = Masker(["quay"])
    assert masker.mask("I am Claude Opus 4.5 by Anthropic.") == "I am [model] by [model]."
    assert masker.mask("Report by Qwen2.5") == "Report by [model]"
    assert masker.mask("As ＧＰＴ-4o-mini, I looked.") == "As [model], I looked."


PIECES = st.sampled_from(
    [
        *("GPT-4o", "g\u00adpt-4o", "&shy;", "&amp;", "é", "ﬁ", "ИІ", "통", "\n", " "),
        *("I am ", "Claude ", "[model]", "\ue000", "x"),
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
@settings(deadline=None)
def test_masking_only_replaces_and_is_done_after_once(text: str) -> None:
    masker = Masker(["gpt-4o-mini"])
    once = masker.mask(text)
    assert masker.mask(once) == once
    at = 0
    for part in once.split("[model]"):
        at = text.find(part, at)
        assert at >= 0
        at += len(part)


@given(st.text(max_size=60))
def test_folded_characters_stand_for_stretches_of_the_original_in_order(text: str) -> None:
    view = fold(text)
    assert len(view.text) == len(view.plain) == len(view.start) == len(view.end)
    assert all(0 <= a < b <= len(text) for a, b in zip(view.start, view.end, strict=True))
    assert view.start == sorted(view.start) and view.end == sorted(view.end)


@pytest.mark.parametrize(
    "unit", [" ", "\n", "gpt-4o-mini-", "I am a Claude ", "as an agent ", "— Claude  ", "&shy;", "1."]
)
def test_time_grows_with_the_text_and_not_with_its_square(unit: str) -> None:
    masker = Masker(["gpt-4o-mini", "claude-3-7-sonnet-latest"])
    masker.mask(unit)

    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        began = time.process_time()
        masker.mask(text)
        return time.process_time() - began

    # Eight times the text: eight times the time, where a square would be sixty-four.
    assert min(seconds(80_000) for _ in range(2)) < 24 * max(min(seconds(10_000) for _ in range(3)), 0.002)


@given(st.text("abgpt-_./ 4o7(+[\\文ﬁß", max_size=16), st.sampled_from(["", "gpt-", "qwen2.5-", "文心-4-"]))
@settings(max_examples=25, deadline=None)  # every new name is compiled
def test_any_name_can_be_looked_for(name: str, family: str) -> None:
    masked = Masker([family + name]).mask(f"Report by {family}{name}")
    assert masked.startswith("Report by ")


def test_the_mask_ends_with_the_name() -> None:
    masker = Masker(["gemma-3-12b-it", "gpt-5"])
    assert masker.mask("Gemma 3 12B, it is said, or gemma-3-12b-it.") == "[model], it is said, or [model]."
    assert masker.mask("GPT-5. Mini, GPT-5's and GPT-5-based.") == "[model]. Mini, [model]'s and [model]-based."
