"""A policy of a few thousand parameters and a byte tokenizer, built here: nothing is fetched."""

from pathlib import Path
from typing import Any


def build_policy(folder: Path) -> Path:
    """Saves model and tokenizer, with TRL's own chat template for Qwen3, which renders and parses tool calls."""
    import torch
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_only = Tokenizer(models.BPE(vocab={char: place for place, char in enumerate(alphabet)}, merges=[]))
    bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_only.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytes_only,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
    )
    tokenizer.add_tokens(["<tool_call>", "</tool_call>", "<think>", "</think>"])
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    tokenizer.chat_template = template.read_text(encoding="utf-8")
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=2048,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    tokenizer.save_pretrained(folder)
    Qwen3ForCausalLM(config).save_pretrained(folder)
    return folder


def scripted_policy(folder: Path, turns: list[list[str]]) -> Any:
    """The policy with its words decided: `turns` holds, for each call of generate, a text a row."""
    import torch
    from transformers import AutoTokenizer, Qwen3ForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(folder)
    left = list(turns)

    class Scripted(Qwen3ForCausalLM):  # type: ignore[misc]
        def generate(self, input_ids: Any, **_: Any) -> Any:
            spoken = [[*tokenizer(text)["input_ids"], tokenizer.eos_token_id] for text in left.pop(0)]
            width = max(map(len, spoken))
            padded = [ids + [tokenizer.pad_token_id] * (width - len(ids)) for ids in spoken]
            return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    return Scripted.from_pretrained(folder)
