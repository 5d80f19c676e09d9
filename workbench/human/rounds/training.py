"""An owner's own training pairs from a file: which reports, the verdict held right, what the rater is told."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from workbench.errors import BadInputError, NotFoundError
from workbench.human.rounds.checks import TrainingPair
from workbench.schema.ballot import BallotVerdict
from workbench.store import Store


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    left: str
    right: str
    expected: BallotVerdict
    feedback: Annotated[str, Field(min_length=1, max_length=2000)]


def read_training_pairs(store: Store, path: Path) -> Sequence[TrainingPair]:
    """One JSON object a line: `left` and `right` (ids of trajectories with a report on one question), `expected`,
    `feedback`. Raises BadInputError with file and line for anything else.
    """
    if not path.is_file():
        raise BadInputError(f"{path}: no such file")
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = _Row.model_validate_json(line)
            left, right = (store.trajectories.row(identity) for identity in (row.left, row.right))
        except ValidationError as error:
            first = error.errors()[0]
            raise BadInputError(f"{where}: {'.'.join(map(str, first['loc'])) or 'row'}: {first['msg']}") from None
        except NotFoundError as error:
            raise BadInputError(f"{where}: {error}") from None
        if left.question_id != right.question_id:
            raise BadInputError(f"{where}: the two reports answer different questions")
        found.append(TrainingPair(left.question_id, row.left, row.right, row.expected, row.feedback))
    if not found:
        raise BadInputError(f"{path}: holds no training pair")
    return found
