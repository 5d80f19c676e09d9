"""Which words identify a system: well-known names, and what of a run's or model's name stands in prose."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.human.blind.folding import plain

# Vendors, products and model families, as their names appear in prose.
WELL_KNOWN: tuple[str, ...] = (
    "OpenAI", "ChatGPT", "GPT", "GPT-5", "GPT-4o", "GPT-4.1", "GPT-4", "o1", "o3", "o4-mini", "Deep Research", "Codex",
    "Anthropic", "Claude", "Claude Opus", "Claude Sonnet", "Claude Haiku", "Sonnet", "Opus",
    "Google", "DeepMind", "Gemini", "Gemma", "Bard", "PaLM", "NotebookLM",
    "Meta", "Meta AI", "Llama", "Microsoft", "Copilot", "Bing", "Phi", "Amazon", "Nova", "NVIDIA", "Nemotron", "Apple",
    "xAI", "Grok", "Perplexity", "Sonar", "You.com", "Genspark", "Manus", "Mistral", "Mixtral", "Le Chat", "Cohere",
    "Command R", "AI21", "Jamba", "Inflection", "Pi", "Character.AI", "Hugging Face", "LangChain", "Tongyi", "Qwen",
    "Alibaba", "Alibaba Cloud", "QwQ", "DeepSeek", "Moonshot", "Moonshot AI", "Kimi", "Zhipu", "GLM", "ChatGLM", "Z.ai",
    "MiniMax", "StepFun", "Step", "Baidu", "ERNIE", "Doubao", "ByteDance", "Seed", "Hunyuan", "Tencent", "01.AI", "Yi",
    "InternLM", "Baichuan", "WebThinker", "WebDancer", "WebSailor", "WebWeaver", "SmolLM", "SmolLM2", "Falcon", "OLMo",
    "GigaChat", "YandexGPT", "Alice AI", "EXAONE", "Solar", "Granite",
    "通义", "通义千问", "千问", "阿里", "阿里云", "深度求索", "月之暗面", "智谱", "智谱清言", "文心", "文心一言",
    "百度", "豆包", "字节跳动", "混元", "腾讯", "阶跃星辰", "百川", "讯飞星火", "谷歌", "微软",
)  # fmt: skip

# Words that a part of a run's name may be without naming anything: `step_200`, `seed-3`, `broad`.
_COMMON = frozenset({
    "agent", "agents", "amazon", "apple", "bard", "base", "baseline", "bing", "broad", "codex", "command", "deep",
    "deep-research", "fabricating", "falcon", "final", "full", "gemini", "google", "inflection", "large", "long",
    "main", "meta", "microsoft", "mini", "model", "narrow", "new", "nova", "old", "online", "opus", "original",
    "palm", "phase", "phi", "pi", "policy", "reference", "research", "researcher", "report", "reports", "reward",
    "round", "run", "sample", "search", "seed", "short", "simple", "small", "solar", "sonar", "sonnet", "step",
    "student", "system", "table", "teacher", "test", "train", "trained", "version", "writer", "yi",
})  # fmt: skip
# Words that every report uses of itself, whoever wrote it: they name nobody, not even in "written by the model".
_NEVER = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "is", "it", "me", "my", "no", "not",
    "of", "on", "or", "our", "so", "that", "the", "this", "to", "us", "was", "we", "were", "with", "agent", "agents",
    "ai", "analysis", "answer", "article", "assistant", "author", "authors", "bot", "brief", "chatbot", "document",
    "intelligence", "llm", "model", "models", "name", "online", "output", "overview", "report", "reports", "research",
    "researcher", "response", "review", "study", "summary", "system", "text", "tool", "using", "writer", "you",
    "your",
})  # fmt: skip
_VENDORS = (
    "openai", "anthropic", "google", "deepmind", "meta", "microsoft", "amazon", "nvidia", "apple", "xai", "perplexity",
    "cohere", "hugging face", "huggingface", "alibaba", "moonshot", "zhipu", "baidu", "bytedance", "tencent",
)  # fmt: skip
_ORGANISATIONS = "(?:qwen|deepseek-ai|mistralai|meta-llama|huggingfacetb|thudm|zai-org|moonshotai|tiiuae|allenai)"
# What follows a model's name without being needed to know it.
_SUFFIXES = (
    "latest", "instruct", "instruction", "chat", "preview", "exp", "experimental", "beta", "mini", "nano", "micro",
    "lite", "small", "medium", "large", "xl", "pro", "max", "plus", "ultra", "turbo", "flash", "fast", "high", "low",
    "thinking", "reasoning", "reasoner", "base", "it", "hf", "awq", "gptq", "gguf", "fp8", "fp16", "bf16", "int4",
    "int8", "online", "tuned", "sft", "dpo", "rl", "distill", "coder", "vl", "vision", "raw", "free",
)  # fmt: skip
# Of those, what makes a name with the family alone: "Gemini Flash", "Mistral Small".
_SIZED_LINES = frozenset(
    {"mini", "nano", "micro", "lite", "small", "medium", "large", "pro", "max", "plus", "ultra", "turbo", "flash"}
    | {"thinking", "reasoner", "coder", "vl"}
)
_LINES = ("sonnet", "opus", "haiku")  # lines that are spoken of with their version alone: "Sonnet 3.7"

_JOINT = r"[\s\W_]{0,2}"
_POINT = r"[\s\W_p]{0,2}"  # "llama-v3p1" is Llama 3.1
_DATE = r"20\d\d[-_. ]?(?:0[1-9]|1[0-2])(?:[-_. ]?[0-3]\d)?(?!\d)"
_SIZE = r"a?\d{1,4}(?:\.\d{1,2}|x\d{1,3})?[bmk](?![a-z0-9])"
_VERSION = rf"[a-z]?\d{{1,2}}(?!\d)(?:[._p-](?!{_SIZE})\d{{1,2}}(?!\d))*(?:[a-z](?![a-z0-9]))?"
_PIECE = re.compile(
    rf"(?P<date>(?<!\d){_DATE})|(?P<size>(?<![a-z0-9.]){_SIZE})|(?P<omni>(?<![a-z0-9])o\d(?![a-z0-9]))"
    rf"|(?P<word>[a-z]{{2,}}(?=[^a-z]|$)|[a-z](?![a-z\d])|[^\W\da-z_]+)|(?P<version>{_VERSION})|(?P<stamp>\d+)"
    r"|(?P<rest>[a-z]+)"
)
_NO_VERSION = r"(?![\s_.-]{0,2}v?\d{1,2}(?:[.-]\d{1,2})?(?![\da-z]))"
_NUMBERS = re.compile(r"[^\W\d_]+|\d+")
_ALPHANUMERIC_TAIL = rf"(?:[-_.](?:{'|'.join(_SUFFIXES)}|{_SIZE}|{_DATE})(?![a-z0-9]))"
_KNOWN = frozenset(plain(name) for name in WELL_KNOWN)
_FAMILIES = frozenset(
    name for name in _KNOWN if name.isascii() and name.isalpha() and name not in {*_VENDORS, "step", "seed", "command"}
) | {"haiku"}
_OF_VENDOR = (
    rf"(?:(?:{'|'.join(map(re.escape, _VENDORS))})(?:\s+ai)?(?:['’]s)?[\s/:_-]{{1,2}}|{_ORGANISATIONS}/){{0,2}}"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str


def patterns_of(name: str) -> tuple[str, ...]:
    """Regular expressions (on `folding.Folded.plain`) of what identifies a run or model wherever it stands in prose.

    `open-deep-research_claude-3-7-sonnet-latest` gives itself and the model within it, in any spelling with its version
    or line: `Claude 3.7`, `claude_3_7_sonnet`, `Claude Sonnet`, `Sonnet 3.7`. One plain word (a run called `harbour`)
    must be capitalised (`needs_capital`), and a common one (`broad`) gives none: masking those would tear holes into
    every report.
    """
    folded = plain(name)
    models = [found for segment in re.split(r"[/@]", folded) if (found := _model(segment))]
    parts = dict.fromkeys([folded, *re.split(r"[/_:@\s]+", folded)])
    own = [found for part in parts if (found := _pattern(part, whole=part == folded))]
    return tuple(dict.fromkeys([*own, *models]))


def plain_words_of(name: str) -> tuple[str, ...]:
    """The words of a run's or model's name that may also be just words: for where a text names its author outright."""
    folded = plain(name)
    found: dict[str, None] = {}
    for part in (folded, *re.split(r"[/_:@\s]+", folded)):
        core = _core(part)
        text = " ".join(piece.text for piece in core)
        if len(text) >= 2 and text not in _NEVER and any(character.isalpha() for character in text):
            found[_joined(core)] = None
    return tuple(found)


def known_patterns() -> tuple[str, ...]:
    """Every well-known name, with a version and suffixes if it has any."""
    version = rf"(?:{_JOINT}{_VERSION}(?![a-z0-9]))?"
    words = "|".join((*_SUFFIXES, *_LINES, _SIZE, _DATE))
    tail = rf"{version}(?:[-_.\s](?:{words})(?![a-z0-9])){{0,6}}"
    return tuple(dict.fromkeys(loose(name) + (tail if plain(name).isascii() else "") for name in WELL_KNOWN))


def loose(name: str) -> str:
    """Matches a name however its parts are joined: `gpt-5`, `GPT 5`, `gpt_5`, `GPT5`."""
    return _JOINT.join(map(re.escape, _NUMBERS.findall(plain(name))))


def needs_capital(pattern: str) -> bool:
    """Whether a pattern of `patterns_of` names a system only where capitalised: one plain word, not well known."""
    word = pattern.replace("\\", "")
    return word.isalpha() and word not in _KNOWN


def bounded(patterns: Sequence[str]) -> str:
    """Any of `patterns` as a word of its own. Chinese stands without spaces: only Latin letters and digits bound it."""
    longest_first = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    return rf"(?<![a-z0-9])(?:{'|'.join(longest_first)})(?![a-z0-9])(?!(?<=\d)\.\d)"


def _pieces(name: str) -> tuple[_Piece, ...]:
    return tuple(_Piece(str(found.lastgroup), found.group(0)) for found in _PIECE.finditer(name))


def _core(name: str) -> tuple[_Piece, ...]:
    """A name without the size, date and suffixes at its end."""
    pieces = _pieces(name)
    while len(pieces) > 1 and (pieces[-1].kind in ("date", "size", "stamp") or pieces[-1].text in _SUFFIXES):
        pieces = pieces[:-1]
    return pieces


def _joined(pieces: Iterable[_Piece]) -> str:
    return _JOINT.join(loose(piece.text) for piece in pieces)


def _number(version: str) -> str:
    """A version however its numbers are joined: 3.7, 3-7, v3.7; 2.0 is also 2; 25 is also 2.5."""
    numbers = re.findall(r"[a-oq-z]+|\d+", version.removeprefix("v"))
    if len(numbers) == 1 and len(numbers[0]) == 2 and numbers[0].isdigit():
        numbers = list(numbers[0])
    if len(numbers) > 1 and numbers[-1] == "0":
        return f"v?{_POINT.join(numbers[:-1])}" + r"(?:[\W_]?0)?"
    prefix = "" if numbers[0].isalpha() else "v?"
    return prefix + _POINT.join(numbers)


def _model(segment: str) -> str | None:
    """A model of a well-known family: what must be there is its version or its line, in either order."""
    pieces = _pieces(segment)
    at = next((i for i, p in enumerate(pieces) if p.text in _FAMILIES or p.kind == "omni"), None)
    if at is None:
        return None
    family, rest = pieces[at], pieces[at + 1 :]
    versions = [_number(p.text) for p in rest if p.kind == "version"][:1]
    words = [p.text for p in rest if p.kind == "word" and len(p.text) > 1]
    lines = [re.escape(word) for word in words if word not in _SUFFIXES or word in _SIZED_LINES]
    own_tail = dict.fromkeys([*map(re.escape, words), *(loose(p.text) for p in rest if p.kind not in ("word",))])
    own_tail.pop("it", None)  # "Gemma 3 12B, it is said": only hyphenated, as every suffix may be
    tail = rf"(?:[\s_.:/-]?\(?(?:{'|'.join(own_tail)})(?![a-z0-9]))" if own_tail else ""
    more = rf"(?:{'|'.join(filter(None, [tail, _ALPHANUMERIC_TAIL]))}){{0,8}}"
    head = "(?:chat)?gpt" if family.text in ("gpt", "chatgpt") else re.escape(family.text)
    forms: list[str] = []
    if family.kind == "omni":
        forms = [head]
    for version in versions:
        forms.append(rf"{head}{_JOINT}{version}")
        forms += [rf"{line}{_JOINT}{version}|{version}{_JOINT}{line}" for line in lines if line in _LINES]
        if family.text in _LINES:
            forms.append(rf"{version}{_JOINT}{head}")
    if lines:
        line = rf"(?:{_JOINT}(?:{'|'.join(lines)})){{1,4}}"
        # "Claude Sonnet 3.5" is another model than one of 3.7.
        forms.append(rf"{head}{line}(?:" + "".join(rf"{_JOINT}{v}|" for v in versions) + f"{_NO_VERSION})")
    if not forms:
        return None
    return rf"{_OF_VENDOR}(?:{'|'.join(forms)})(?![a-z0-9]){more}"


def _pattern(part: str, *, whole: bool) -> str | None:
    pieces = _NUMBERS.findall(part)
    words = [piece for piece in pieces if not piece.isdigit()]
    if len(part) < 2 or not words or set(pieces) <= _COMMON | _NEVER or part in _COMMON | _NEVER:
        return None
    if not any(piece.kind in ("word", "omni", "rest") for piece in _pieces(part)):
        return None  # `v2`, `7b`: parts of many names
    core = _core(part)
    if len(core) > 1 and all(p.text in _COMMON | _NEVER or (p.kind == "version" and p.text.isdigit()) for p in core):
        # "Step 2" stands in every report, `step_2` in none that does not speak of the run.
        return "[-_.]".join(re.escape(p.text) for p in core) + _ALPHANUMERIC_TAIL + "{0,4}" if whole else None
    mixed = len(words) < len(pieces)
    if part in _KNOWN or (whole and len(pieces) == 1 and len(part) >= 4):
        return loose(part)
    if not mixed and not (whole and len(pieces) > 1):
        return None
    # Without size and suffixes a name must still be more than one word: `Vessel` alone is left to plain_words_of.
    told = len(core) > 1 and (whole or any(p.kind == "version" for p in core))
    told = told and not {p.text for p in core} <= _COMMON | _NEVER
    tail = rf"{_ALPHANUMERIC_TAIL}{{0,4}}"
    return rf"(?:{loose(part)}|{_joined(core)}){tail}" if told and _joined(core) != loose(part) else loose(part) + tail
