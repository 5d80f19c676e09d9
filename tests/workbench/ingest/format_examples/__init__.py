"""One small example of every format, written by us in the shape that its exporter writes.

`all_examples()` is what the tests of every format at once are about: a new format adds a line in one of the modules.
"""

from tests.workbench.ingest.format_examples import agents, chats, reports, rollouts, traces
from tests.workbench.ingest.format_examples.example import Example


def all_examples() -> tuple[Example, ...]:
    return (*chats.EXAMPLES, *agents.EXAMPLES, *rollouts.EXAMPLES, *reports.EXAMPLES, *traces.EXAMPLES)
