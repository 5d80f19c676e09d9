"""Token ids, masks and log-probabilities of a completion, tied to its steps where the mask says which is whose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from workbench.schema.trajectory import Step, TokenTrace

_IDS = ("completion_ids", "completion_token_ids", "response_ids", "output_ids", "token_ids")
_MASKS = ("completion_mask", "response_mask", "loss_mask", "tool_mask")
_LOGPROBS = ("completion_logprobs", "response_logprobs", "rollout_log_probs", "logprobs")
FIELDS = (*_IDS, *_MASKS, *_LOGPROBS)


def with_tokens(record: Mapping[str, Any], steps: Sequence[Step]) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """(steps with their tokens, the fields that were taken).

    A single turn has all of them. Of several, each run of 1 in the mask is an assistant's turn, where there are as
    many runs as turns. Otherwise nothing is tied, and the fields stay in the source.
    """
    name, ids = _numbers(record, _IDS, int)
    turns = [position for position, step in enumerate(steps) if step.role == "assistant"]
    if not ids or not turns:
        return tuple(steps), ()
    mask_name, given = _numbers(record, _MASKS, int)
    logprobs_name, logprobs = _numbers(record, _LOGPROBS, float)
    mask = given if len(given) == len(ids) and set(given) <= {0, 1} else [1] * len(ids) if not given else []
    if len(logprobs) != len(ids):
        logprobs_name, logprobs = "", []
    if not mask:
        return tuple(steps), ()
    pieces = [(0, len(ids))] if len(steps) == 1 else _runs(mask)
    if len(pieces) != len(turns):
        return tuple(steps), ()
    made = list(steps)
    for position, (start, end) in zip(turns, pieces, strict=True):
        kept = tuple(float(value) for value in logprobs[start:end]) if logprobs else None
        made[position] = replace(made[position], tokens=TokenTrace(tuple(ids[start:end]), tuple(mask[start:end]), kept))
    return tuple(made), tuple(taken for taken in (name, mask_name, logprobs_name) if taken)


def _runs(mask: Sequence[int]) -> list[tuple[int, int]]:
    found, start = [], 0
    for value, run in groupby(mask):
        end = start + sum(1 for _ in run)
        if value == 1:
            found.append((start, end))
        start = end
    return found


def _numbers(record: Mapping[str, Any], names: Sequence[str], kind: type) -> tuple[str, list[Any]]:
    for name in names:
        value = record.get(name)
        if isinstance(value, list) and value:
            wanted = int if kind is int else (int, float)
            if all(isinstance(item, wanted) and not isinstance(item, bool) for item in value):
                return name, value
    return "", []
