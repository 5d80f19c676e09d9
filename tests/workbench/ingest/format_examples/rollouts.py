"""Dumps of trainers."""

from tests.workbench.ingest.format_examples.chats import ASKED, REPORT, TAGGED
from tests.workbench.ingest.format_examples.example import Example, lines

COMPLETION = TAGGED["messages"][2:]
TRL = {
    "step": 3,
    "prompt": [ASKED],
    "completion": COMPLETION,
    "completion_ids": [5, 6, 7, 8],
    "completion_mask": [1, 0, 1, 1],
    "completion_logprobs": [-1.0, 0.0, -2.0, -3.0],
    "accuracy": 0.5,
    "advantage": -0.2,
}
VERL = {
    "input": "system\nrules\nuser\nWhich harbour has two lighthouses?\nassistant\n",
    "output": f"<answer>{REPORT}</answer>",
    "gts": "Vell",
    "score": 1.0,
    "step": 2,
}
RESULT = {
    "example_id": 4,
    "task": "t",
    "prompt": [ASKED],
    "completion": [{"role": "assistant", "content": REPORT}],
    "reward": 0.5,
    "answer": "Vell",
}
TRACE = {
    "task": {"type": "T", "data": {}, "key": "k"},
    "nodes": [
        {"message": ASKED},
        {
            "message": {"role": "assistant", "content": REPORT},
            "sampled": True,
            "token_ids": [1, 2, 3],
            "mask": [False, True, True],
            "logprobs": [-1, -2],
        },
    ],
    "rewards": {"a": {"score": 1.0, "weight": 0.5}, "b": None},
    "is_completed": True,
}

EXAMPLES: tuple[Example, ...] = (
    lines("trainer-rollouts", TRL, VERL, VERL, trajectories=3),
    lines("verifiers", RESULT, TRACE, trajectories=2),
)
