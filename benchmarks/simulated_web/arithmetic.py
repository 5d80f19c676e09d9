"""Questions that need no search: everything is in the question, and the answer has to be worked out."""

from dataclasses import dataclass

from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import grouped


@dataclass(frozen=True, slots=True)
class Result:
    """One number to work out. `answer` states it with {V} for the number and its unit; `cues` are regular expressions
    for words by which an answer speaks of it."""

    part: str
    answer: str
    number: float
    unit: str
    cues: tuple[str, ...]


CLOSINGS = (
    "No research is needed for this.",
    "Everything you need is in the question.",
    "Just work it out and explain your steps.",
)


def draw(rng: Rng) -> tuple[str, tuple[Result, ...]]:
    """A question and the two numbers that answer it."""
    text, results = rng.choice((_bridges, _journey, _hall, _visitors))(rng)
    return f"{text} {rng.choice(CLOSINGS)}", results


def _bridges(rng: Rng) -> tuple[str, tuple[Result, ...]]:
    short, more = rng.between(11, 60) * 10, rng.between(3, 40) * 10
    count = rng.between(3, 9)
    text = (
        f"A footbridge is {short} m long and a road bridge is {grouped(short + more)} m long. By how many metres is "
        f"the road bridge longer, and how long are {count} such footbridges laid end to end?"
    )
    return text, (
        Result(
            "by how many metres the road bridge is longer",
            "The road bridge is {V} longer.",
            more,
            "m",
            (r"\blonger\b", r"\bdifference\b", r"\bexceeds\b"),
        ),
        Result(
            f"length of {count} footbridges",
            f"Laid end to end, {count} footbridges are {{V}} long.",
            count * short,
            "m",
            (r"\bend to end\b", r"\btogether\b", r"\btotal\b"),
        ),
    )


def _journey(rng: Rng) -> tuple[str, tuple[Result, ...]]:
    speed, minutes = rng.between(5, 15) * 12, rng.choice((20, 25, 35, 40, 45, 50))
    kilometres = speed * minutes / 60
    far = rng.between(2, 5)
    text = (
        f"A railcar covers {grouped(kilometres)} km in {minutes} minutes without stopping. What is its average speed "
        f"in km/h, and how far does it get in {far} hours at that speed?"
    )
    return text, (
        Result(
            "average speed",
            "Its average speed is {V}.",
            speed,
            "km/h",
            (r"\bspeed\b", r"\bper hour\b", r"\baverage[sd]?\b"),
        ),
        Result(
            f"distance in {far} hours",
            f"In {far} hours it gets {{V}} far.",
            speed * far,
            "km",
            (r"\bhours\b", r"\bdistance\b", r"\bfar\b", r"\bgets\b"),
        ),
    )


def _hall(rng: Rng) -> tuple[str, tuple[Result, ...]]:
    rows, wide, price = rng.between(14, 38), rng.between(12, 34), rng.between(4, 29)
    text = (
        f"A concert hall has {rows} rows of {wide} seats. How many seats are there in all, and what does a sold-out "
        f"evening bring in at {price} crowns a seat?"
    )
    return text, (
        Result("number of seats", "The hall has {V}.", rows * wide, "seats", (r"\bseats?\b", r"\bhall\b")),
        Result(
            "takings of a sold-out evening",
            "A sold-out evening brings in {V}.",
            rows * wide * price,
            "crowns",
            (r"\bbrings?\b", r"\btakings\b", r"\bsold\b", r"\bcrowns\b"),
        ),
    )


def _visitors(rng: Rng) -> tuple[str, tuple[Result, ...]]:
    before, percent = rng.between(12, 90) * 1000, rng.choice((5, 10, 15, 20, 25, 30))
    after = before * (100 + percent) // 100
    text = (
        f"A museum had {grouped(before)} visitors in its first year and {grouped(after)} in its second. By what "
        "percentage did the number grow, and how many visitors came in the two years together?"
    )
    return text, (
        Result(
            "growth in per cent",
            "The number grew by {V}.",
            percent,
            "percent",
            (r"\bgrew\b", r"\bgrowth\b", r"\bincrease[ds]?\b", r"\brose\b", r"\bpercent(age)?\b"),
        ),
        Result(
            "visitors in both years",
            "In the two years together there were {V}.",
            before + after,
            "visitors",
            (r"\btogether\b", r"\btotal\b", r"\bboth years\b", r"\btwo years\b", r"\bcombined\b", r"\bin all\b"),
        ),
    )
