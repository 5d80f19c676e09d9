"""Both shapes of verifiers' output."""

from workbench.ingest.formats.verifiers_rollouts import FORMAT

ASKED = {"role": "user", "content": "why?"}
SAID = {"role": "assistant", "content": "so"}


def test_results_line_is_one_attempt_of_its_example() -> None:
    record = {"example_id": 4, "task": "t", "prompt": [ASKED], "completion": [SAID], "reward": 0.5, "answer": "so"}
    assert FORMAT.detect(record)
    draft = FORMAT.read(record)
    assert (draft.question, draft.report, draft.group, draft.outcome) == ("why?", "so", "t:4", "completed")
    assert draft.meta["recorded_reward"] == 0.5
    assert FORMAT.read(record | {"is_truncated": True}).outcome == "truncated"


def test_trace_has_tokens_by_message_and_weighted_rewards() -> None:
    node = {"message": SAID, "sampled": True, "token_ids": [1, 2, 3], "mask": [False, True, True], "logprobs": [-1, -2]}
    record = {
        "task": {"type": "T", "data": {}, "key": "k"},
        "nodes": [{"message": ASKED}, node],
        "rewards": {"a": {"score": 1.0, "weight": 0.5}, "b": None},
        "is_completed": True,
    }
    assert FORMAT.detect(record)
    draft = FORMAT.read(record)
    assert (draft.group, draft.report, draft.outcome) == ("k", "so", "completed")
    assert (draft.meta["recorded_reward"], draft.meta["recorded_scores"]) == (0.5, {"a": 1.0})
    tokens = draft.steps[1].tokens
    assert tokens is not None
    assert (tokens.ids, tokens.mask, tokens.logprobs) == ((1, 2, 3), (0, 1, 1), (0.0, -1.0, -2.0))
