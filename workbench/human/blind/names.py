"""Which words identify a system: well-known names, and what of a run's or model's name stands in prose."""

import re
from collections.abc import Sequence

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
    "palm", "phi", "pi", "policy", "reference", "research", "researcher", "report", "reports", "reward", "run",
    "sample", "search", "seed", "short", "simple", "small", "sonar", "sonnet", "step", "student", "system",
    "teacher", "test", "train", "trained", "writer", "yi",
})  # fmt: skip
_WORD = re.compile(r"[a-z]+|\d+|[^\W\da-z_]+")
_JOINT = r"[\s\W_]{0,2}"
_CAPITALISED = r"(?=\w*(?-i:[A-Z]))"
_KNOWN = frozenset(name.casefold() for name in WELL_KNOWN)


def patterns_of(name: str) -> tuple[str, ...]:
    """Regular expressions (for use with IGNORECASE) of what identifies a run or model in prose.

    The name itself and its parts that mix letters and digits or are well known: `open-deep-research_gpt-5` gives both
    itself and `gpt-5`. One plain word (a run called `harbour`) is matched only where it is capitalised, and a common
    one (`broad`) never: masking those would tear holes into every report.
    """
    parts = dict.fromkeys([name, *re.split(r"[/_:@\s]+", name)])
    return tuple(dict.fromkeys(found for part in parts if (found := _pattern(part, whole=part == name))))


def loose(name: str) -> str:
    """Matches a name however its parts are joined: `gpt-5`, `GPT 5`, `gpt_5`, `GPT5`."""
    pieces = re.findall(r"[^\W\d_]+|\d+", name)
    return _JOINT.join(map(re.escape, pieces))


def pieces_of(pattern: str) -> frozenset[str]:
    """The words and numbers that a pattern of this module is made of, folded: without them all, nothing matches."""
    literal = pattern.replace(_JOINT, " ").replace(_CAPITALISED, " ").replace("\\", "")
    return words_of(literal.casefold())


def words_of(folded: str) -> frozenset[str]:
    """Runs of Latin letters, runs of digits, and runs of anything else that is written."""
    return frozenset(_WORD.findall(folded))


def bounded(patterns: Sequence[str]) -> str:
    """Any of `patterns` as a word of its own. Chinese stands without spaces: only Latin letters and digits bound it."""
    longest_first = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    return rf"(?<![A-Za-z0-9])(?:{'|'.join(longest_first)})(?![A-Za-z0-9])"


def _pattern(part: str, *, whole: bool) -> str | None:
    plain = part.casefold()
    pieces = [piece for piece in re.split(r"[\W_]+", plain) if piece]
    if len(plain) < 2 or not pieces or set(pieces) <= _COMMON or plain in _COMMON or plain.isdigit():
        return None
    mixed = any(c.isdigit() for c in plain) and any(c.isalpha() for c in plain)
    # `step_200` mixes a common word with a number: it names a checkpoint only as a whole, joined.
    if mixed or plain in _KNOWN or (whole and len(pieces) > 1):
        return loose(part)
    return _CAPITALISED + loose(part) if whole and len(plain) >= 4 else None
