"""Votes as other tools write them, put into the arena form: PandaLM, AlpacaEval, MT-Bench (people and judges).

Each is told by its own fields. A row that is none of these is passed on as it is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.human.ballots.arena import RowError

_PANDALM = {"cmp_key", "instruction", "annotator1"}
_ALPACA = {"generator_1", "generator_2", "preference"}
_MT_PEOPLE = {"model_a", "model_b", "winner", "judge", "turn"}
_MT_JUDGE = {"model_1", "model_2", "g1_winner", "g2_winner"}


def arena_rows(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """One row a vote; PandaLM's hold one for each annotator. Raises RowError where the row's own shape is broken."""
    names = row.keys()
    if names >= _PANDALM:
        return _pandalm(row)
    if names >= _ALPACA:
        return (_alpaca(row),)
    if names >= _MT_JUDGE:
        return (_mt_judge(row),)
    # The Arena's own files have these fields too; their questions have ids of hexadecimal digits, MT-Bench's numbers.
    if names >= _MT_PEOPLE and str(row.get("question_id", "")).isdecimal():
        return (_mt_people(row),)
    return (row,)


def _pandalm(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """`cmp_key` is `model1_model2`; annotator1.. say 0 for a tie, 1 or 2."""
    models = str(row["cmp_key"]).split("_")
    if len(models) != 2:
        raise RowError(f"cmp_key is {row['cmp_key']!r}; expected two model names joined by one underscore")
    asked = "\n\n".join(str(row[name]) for name in ("instruction", "input") if row.get(name))
    found = []
    for name in sorted((one for one in row if one.startswith("annotator")), key=lambda one: (len(one), one)):
        said = {"0": "tie", "1": "model_a", "2": "model_b"}.get(str(row[name]))
        if said is None:
            raise RowError(f"{name} is {row[name]!r}; expected 0 (tie), 1 or 2")
        found.append({"model_a": models[0], "model_b": models[1], "winner": said, "rater": name, "question": asked})
    return found


def _alpaca(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """`preference` is 1 for the first output, 2 for the second, 0 or 1.5 for a draw; between, the nearer one.

    Source: AlpacaEval's annotations.json; its weighted annotators give 1 + P(second).
    """
    value = row["preference"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not (value == 0 or 1 <= value <= 2):
        raise RowError(f"preference is {value!r}; expected 1 to 2, or 0 for a draw (a failed annotation is no vote)")
    winner = "tie" if value in (0, 1.5) else "model_a" if value < 1.5 else "model_b"
    return {
        "model_a": row["generator_1"],
        "model_b": row["generator_2"],
        "winner": winner,
        "rater": row.get("annotator") or "",
        "question": row.get("instruction") or "",
    }


def _mt_people(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """`turn` 1 or 2 of a conversation are two questions. `tie (inconsistent)`: the judge changed with the order."""
    winner = str(row["winner"])
    return {
        "model_a": row["model_a"],
        "model_b": row["model_b"],
        "winner": "tie" if winner.startswith("tie (inconsistent") else winner,
        "rater": _judge(row["judge"]),
        "question_id": _mt_question(row),
    }


def _mt_judge(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Two games with sides swapped; a win counts where both say so, as FastChat counts it."""
    games = (str(row["g1_winner"]), str(row["g2_winner"]))
    if any(game not in ("model_1", "model_2", "tie") for game in games):
        raise RowError(f"games ended as {games[0]!r} and {games[1]!r}; expected model_1, model_2 or tie")
    winner = {"model_1": "model_a", "model_2": "model_b"}.get(games[0], "tie") if games[0] == games[1] else "tie"
    return {
        "model_a": row["model_1"],
        "model_b": row["model_2"],
        "winner": winner,
        "rater": _judge(row.get("judge", "")),
        "question_id": _mt_question(row),
    }


def _judge(value: Any) -> str:
    return " ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)


def _mt_question(row: Mapping[str, Any]) -> str:
    return f"mt-bench-{row.get('question_id', '')}-turn-{row.get('turn', '')}"
