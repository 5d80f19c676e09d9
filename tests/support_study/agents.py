"""Citations that scripted agents wrote: honest, careless and lying ones, each against what its run retrieved."""

from collections.abc import Iterator, Sequence

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.questions import make_questions
from benchmarks.simulated_web.reading.claims import read_claims
from benchmarks.simulated_web.reading.text import read_text
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import page_text
from benchmarks.simulated_web.world import World
from tests.support_study.pairs import StudyPair, bare, claims_by_sentence, told_in, truth_of
from workbench.phases import analyse
from workbench.phases.activity import openings
from workbench.phases.calls import call_records
from workbench.phases.documents import Retrieved

# `copying` is left out: its lines do not say whom they are about, so their truth is open.
AGENTS = (
    "broad",
    "terse",
    "narrow",
    "fabricating",
    "stale",
    "swapped_citations",
    "overconfident",
    "list_only",
)


def agent_pairs(world: World, *, questions: int, agents: Sequence[str] = AGENTS) -> Iterator[StudyPair]:
    """For every citation with a document whose sentence gold's matcher can read: the pair as it was cited, and the same
    claim against another page that the run opened."""
    for question in make_questions(world, questions, world.seed):
        for name in agents:
            trajectory = run_agent(name, world, question, seed=world.seed, attempt=0)
            records = call_records(trajectory)
            sources = Retrieved(trajectory, records, openings(records))
            text = read_text(trajectory.report)
            read = claims_by_sentence(read_claims(world.graph, text, topics=question.entities))
            rng = Rng("other pages", world.seed, question.id, name)
            opened = sorted({part.url for parts in sources.parts.values() for part in parts if part.opened})
            cluster = f"{world.seed}/{question.id}"
            for citation in analyse(trajectory).citations:
                claim = trajectory.report[citation.claim_start : citation.claim_end]
                claims = read.get(bare(claim))
                if not claims or citation.url is None or citation.url not in world.page:
                    continue
                document = "\n\n".join(
                    dict.fromkeys(
                        trajectory.steps[p.step].tool_results[p.result].text[p.start : p.end]
                        for p in sources.of(citation.url)
                    )
                )
                told = told_in(world.page[citation.url], document) if document else None
                if told is None:
                    continue
                level = "opened page" if citation.retrieval == "opened" else "search result"
                yield StudyPair(claim, document, truth_of(world, claims, told), level, name, cluster)
                others = [url for url in opened if url != citation.url and url in world.page]
                if others:
                    page = world.page[rng.choice(others)]
                    truth = truth_of(world, claims, page.statements)
                    yield StudyPair(claim, page_text(world, page), truth, "another page of the run", name, cluster)
