"""The sites of a simulated web: who publishes, how reliably, in which units."""

from dataclasses import dataclass

from benchmarks.simulated_web.english.outlets import KINDS, OUTLETS
from benchmarks.simulated_web.graph import Entity, Graph
from benchmarks.simulated_web.rng import Rng


@dataclass(frozen=True, slots=True)
class Site:
    """`reliability` is the percent of its statements that are right. `types`: what it writes about, none means all;
    `owner`: the entity whose own site it is. Hosts end in .example, which no resolver answers (RFC 2606)."""

    host: str
    name: str
    kind: str
    reliability: int
    imperial: bool
    types: tuple[str, ...] = ()
    owner: str = ""

    def covers(self, entity: Entity) -> bool:
        return entity.id == self.owner if self.owner else not self.types or entity.type_key in self.types


def generate_sites(rng: Rng, graph: Graph, n_sites: int) -> tuple[Site, ...]:
    """`n_sites` sites: the known outlets of every kind in turn, then the own sites of entities until there are enough.

    Every type of entity is covered by at least one registry and several others if `n_sites` >= 20.
    """
    kinds = {kind.key: kind for kind in KINDS}
    queues = {key: list(outlets) for key, outlets in OUTLETS.items()}
    sites: list[Site] = []
    while len(sites) < n_sites and any(queues.values()):
        for key, queue in queues.items():
            # Registries first: each covers only some types, so all of them are needed.
            for name, host, types in [queue.pop(0) for _ in range(min(len(queue), 3 if key == "registry" else 1))]:
                kind = kinds[key]
                reliability = rng.between(*kind.reliability)
                sites.append(Site(host, name, key, reliability, rng.below(100) < kind.imperial, types))
    owners = rng.shuffled([e for e in graph.entities if e.type_key in ("city", "company", "institute", "museum")])
    official = kinds["official"]
    for owner in owners[: max(0, n_sites - len(sites))]:
        host = f"www.{owner.root.lower()}.example"
        sites.append(
            Site(
                host,
                f"{owner.name}, official site",
                "official",
                rng.between(*official.reliability),
                False,
                (),
                owner.id,
            )
        )
    return tuple(sites[:n_sites])
