"""The 45 designs of a series: which run looks how, and writes how."""

from dataclasses import dataclass, replace

from benchmarks.simulated_web.agents.writer import PLAIN
from benchmarks.simulated_web.rng import Rng
from tests.diagnosis_study.mechanisms import REFERENCE, STRONG, Searching, Writing

SIZES = ("small", "medium", "large")


@dataclass(frozen=True, slots=True)
class Design:
    """What is planted in a run. `kind`: none, research, writing, both or a trap by name."""

    kind: str
    size: str
    searching: Searching = STRONG
    writing: Writing = REFERENCE


def designs_of(seed: int) -> list[Design]:
    """The 45 designs of a series, in a fixed order. How a deficit comes about is drawn anew for each."""
    rng = Rng("planted designs", seed)
    looks = {size: [_worse_search(rng, size) for _ in range(6)] for size in SIZES}
    writes = {size: [_worse_writing(rng, size) for _ in range(6)] for size in SIZES}
    out = [Design("none", "") for _ in range(8)]
    for size in SIZES:
        out += [Design("research", size, searching=plan) for plan in looks[size][:3]]
        out += [_with_detours(Design("writing", size, writing=plan)) for plan in writes[size][:3]]
    for left, right in ("ss", "sl", "ls", "mm", "ll", "ms", "sm", "ml"):
        first, second = (next(size for size in SIZES if size[0] == letter) for letter in (left, right))
        both = Design("both", f"{first}+{second}", rng.choice(looks[first][3:]), rng.choice(writes[second][3:]))
        out.append(_with_detours(both))
    bullets = replace(PLAIN, bullets=True, headings=False, short_names=0)
    bare = replace(PLAIN, summary=False, short_names=35)
    better = Writing(weighs=0.8, manner=replace(PLAIN, short_names=0))
    out += [
        Design("longer", "", writing=Writing(chatter=1)),
        Design("longer", "", writing=Writing(chatter=2)),
        Design("padding", "", searching=replace(STRONG, repeats=1)),
        Design("padding", "", searching=replace(STRONG, repeats=2)),
        Design("detours", "", searching=replace(STRONG, detours=2)),
        Design("style", "", writing=Writing(manner=bullets)),
        Design("style", "", writing=Writing(manner=bare)),
        Design("longer and padding", "", replace(STRONG, repeats=1), Writing(chatter=2)),
        Design("better writing", "", writing=better),
        Design("better writing", "", writing=replace(better, weighs=0.5)),
        Design("better writing, worse research", "medium", looks["medium"][0], better),
    ]
    return out


def _worse_search(rng: Rng, size: str) -> Searching:
    rate = {"small": 0.1, "medium": 0.24, "large": 0.48}[size]
    way = rng.choice(("skips", "goes astray", "stops early", "some of each"))
    plan = replace(STRONG, sites=rng.choice((3, 2) if size == "small" else (2, 1)), searches=rng.between(2, 4))
    if way == "skips":
        return replace(plan, skipped=rate)
    if way == "goes astray":
        return replace(plan, astray=min(0.9, 1.6 * rate), sites=1, searches=1)
    if way == "stops early":
        return replace(plan, early=0.8 * rate)
    return replace(plan, skipped=rate / 2, astray=rate / 2, early=rate / 4)


def _worse_writing(rng: Rng, size: str) -> Writing:
    rate = {"small": 0.08, "medium": 0.2, "large": 0.42}[size]
    way = rng.choice(("drops", "misstates", "does not cite", "some of each"))
    manner = replace(PLAIN, gaps=False, disagreements=rng.chance(0.5))
    if way == "drops":
        return Writing(manner, dropped=rate)
    if way == "misstates":
        return Writing(manner, misstated=0.6 * rate)
    if way == "does not cite":
        return Writing(manner, uncited=min(0.95, 2.2 * rate), dropped=rate / 4)
    return Writing(manner, rate / 3, rate / 6, rate / 2, asides={"small": 1, "medium": 2, "large": 4}[size])


def _with_detours(design: Design) -> Design:
    """Asides are about other things only where pages about other things were opened."""
    if not design.writing.asides:
        return design
    return replace(design, searching=replace(design.searching, detours=2))
