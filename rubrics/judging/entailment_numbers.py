"""Figures of a text with their units, so that 12 km and 12,000 m, 1.2 million and 120万, 3 May and 5月3日 can meet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

# Figures of one text beyond this are not read: a page of nothing but digits must not cost its square.
MOST_FIGURES = 200
# Different units: what converters round away. About: what a writer who says "about" may mean.
CONVERTED_TOLERANCE = 0.01
LOOSE_TOLERANCE = 0.05
# "More than 40" is met by 45; by 4,000 it would be a strange way to speak.
BOUND_REACH = 1.3
TELLING_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `value` is in the base unit of `kind` (metres of length, square metres of area, 1 for percent).

    `kind`: a dimension, `year`, `day` (100 * month + day), `month`, or empty for a bare number. `place` is the value of
    its last written digit, `unit` the unit as written (folded), `noun` the word after a bare number. `bound` is +1 for
    "more than", -1 for "less than". `start`/`end` are offsets in the text it was read from. `spelled`: in words.
    """

    value: float
    kind: str
    place: float
    unit: str
    noun: str
    start: int
    end: int
    about: bool = False
    bound: int = 0
    spelled: bool = False

    @property
    def telling(self) -> bool:
        """Three significant digits and more, of no year: such a figure hardly stands in another text by chance."""
        return self.kind != "year" and len(f"{round(self.value / self.place):d}".rstrip("0")) >= TELLING_DIGITS


# A line: the dimension, the factor to its base unit, the words for it.
_UNIT_TABLE = """
length 0.001: mm, millimetres, millimeters, 毫米
length 0.01: cm, centimetres, centimeters, 厘米
length 1: m, metres, meters, metre, meter, 米
length 1000: km, kilometres, kilometers, kilometre, kilometer, 公里, 千米
length 0.3048: ft, feet, foot, 英尺
length 1609.344: mi, miles, mile, 英里
length 0.0254: inches, inch
length 1e-9: nm, nanometres, nanometers, 纳米
length 1e-6: μm, µm, micrometres, micrometers, 微米
area 1: m2, m², m^2, square metres, square meters, sq m, 平方米
area 1e6: km2, km², square kilometres, square kilometers, sq km, 平方公里, 平方千米
area 2589988: sq mi, square miles
area 0.09290304: sq ft, square feet
area 1e4: ha, hectares, hectare, 公顷
area 4046.856: acres, acre, 英亩
flow 1: m3/s, m³/s, cubic metres per second, cubic meters per second
volume 1: m3, m³, cubic metres, cubic meters, 立方米
volume 0.001: litres, liters, litre, liter, 升
mass 1: kg, kilograms, kilogrammes, kilogram, 公斤, 千克
mass 0.001: g, grams, gram, 克
mass 1e-6: mg, milligrams, 毫克
mass 1000: t, tonnes, tonne, metric tons, 吨
mass 0.45359237: lb, lbs, pounds
power 1: w, watts, watt, 瓦
power 1e3: kw, kilowatts, kilowatt, 千瓦
power 1e6: mw, megawatts, megawatt, 兆瓦
power 1e9: gw, gigawatts, gigawatt, 吉瓦
energy 1: kwh, 千瓦时
energy 1e3: mwh
energy 1e6: gwh
energy 1e9: twh
speed 1: km/h, kmh, kph, kilometres per hour, kilometers per hour
speed 1.609344: mph, miles per hour
time 1: seconds, second, secs, sec, s, 秒
time 0.001: ms, milliseconds, 毫秒
time 60: minutes, minute, mins, min, 分钟
time 3600: hours, hour, hrs, hr, h, 小时
time 86400: days, day, 天
time 604800: weeks, week, 周
age 12: years, year
age 1: months, month, 个月
percent 1: %, ％, percent, per cent, pct
points 1: percentage points, percentage point, 个百分点
data 1e3: kb
data 1e6: mb
data 1e9: gb
data 1e12: tb
degrees 1: °c, ℃, degrees celsius, degrees, 摄氏度
usd 1: usd, us dollars, dollars, dollar, 美元
eur 1: eur, euros, euro, 欧元
cny 1: rmb, cny, yuan, 人民币, 元
gbp 1: gbp, 英镑
jpy 1: jpy, yen, 日元
people 1: people, inhabitants, residents, citizens, 人
times 1: times, fold, x, 倍
"""
_UNITS: dict[str, tuple[str, float]] = {
    word: (head.split()[0], float(head.split()[1]))
    for line in _UNIT_TABLE.strip().splitlines()
    for head, _, rest in [line.partition(": ")]
    for word in rest.split(", ")
}
_SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "￥": "cny"}
_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12,
    "百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "百万": 1e6, "千万": 1e7,
    "亿": 1e8, "億": 1e8, "万亿": 1e12,
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_SPELLED = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_SPELLED |= {"两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_LATIN_UNITS = [unit for unit in _UNITS if unit[-1].isascii() and unit[-1].isalnum()]
_OTHER_UNITS = [unit for unit in _UNITS if unit not in _LATIN_UNITS]
_UNIT = rf"(?:(?:{_either(_LATIN_UNITS)})(?![\w²³/])|{_either(_OTHER_UNITS)})"
_SCALE = (
    rf"(?:(?:hundred|thousand|million|billion|trillion|mn|bn|k)(?![\w])|{_either([s for s in _SCALES if s > 'z'])})"
)
_NUMBER = re.compile(
    r"(?P<sign>[$€£¥￥]\s?)?(?P<number>(?<![A-Za-z_\d.,])(?<![A-Za-z_\d][-–/])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"
    # The second figure of a range stands behind a dash; a dash behind a letter makes a name of it (GPT-4).
    r"|(?<![A-Za-z_\d.])(?<![A-Za-z_][-–/])\d+(?:\.\d+)?(?![\d]))"
    rf"(?:[ \u00a0-]?(?P<scale>{_SCALE}))?(?:[ \u00a0-]?(?P<unit>{_UNIT}))?(?![A-Za-z_\d])",
    re.IGNORECASE,
)
_MONTH = _either(list(_MONTHS))
_DATE = re.compile(
    rf"\b(?:(?P<m1>{_MONTH})\.?\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y1>[12]\d{{3}}))?"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\.?(?:,?\s+(?P<y2>[12]\d{{3}}))?"
    rf"|(?P<m3>{_MONTH})\.?,?\s+(?P<y3>[12]\d{{3}})|(?P<y4>[12]\d{{3}})-(?P<m4>\d{{2}})-(?P<d4>\d{{2}}))(?!\d)"
    r"|(?:(?P<y5>[12]\d{3})\s?年\s?)?(?P<m5>\d{1,2})\s?月(?:\s?(?P<d5>\d{1,2})\s?[日号])?",
    re.IGNORECASE,
)
_SPELLED_NUMBER = re.compile(
    rf"\b(?P<word>{_either([w for w in _SPELLED if w.isascii()])})\b"
    r"(?:[ -](?P<scale>hundred|thousand|million|billion))?"
    rf"|(?P<chinese>[两三四五六七八九十])(?=[个种项类名家条次])",
    re.IGNORECASE,
)
_NOUN = re.compile(r"[\s-]{0,3}([^\W\d_]{2,24})")
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|~|≈|约|大约|近|将近)\s*$", re.I
)
_MORE = re.compile(
    r"(?:(?<!extends )(?<!spans )(?<!stretches )(?<!spread )over|more than|at least"
    r"|exceed(?:s|ed|ing)?|above|greater than|>|超过|逾|至少|高于)\s*$",
    re.I,
)
_LESS = re.compile(r"(?:under|less than|fewer than|below|at most|<|不到|少于|至多|低于|不足)\s*$", re.I)
# 08/05/21 is another day on each side of the Atlantic, and no three numbers on either.
_SLASHED = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?![\d/])")
_ROW_NUMBER = re.compile(r"\s{0,8}\|\s{0,8}\d{1,4}\s{0,8}(?=\|)")
_LIST_NUMBER = re.compile(r"\s{0,8}(?:[-*#|>\s]{0,8})\d{1,3}[.)、]\s")


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text in order, at most MOST_FIGURES: dates first, then numbers outside them, then words."""
    taken: list[tuple[int, int]] = []
    out: list[Figure] = []
    listed = _LIST_NUMBER.match(text) or _ROW_NUMBER.match(text)
    if listed:
        taken.append(listed.span())
    taken += [match.span() for match in _SLASHED.finditer(text)]
    for match in _DATE.finditer(text):
        out += _of_date(match)
        taken.append(match.span())
        if len(out) >= MOST_FIGURES:
            return tuple(out)
    spans = iter(sorted(taken))
    wall = next(spans, None)
    for match in _NUMBER.finditer(text):
        while wall is not None and wall[1] <= match.start():
            wall = next(spans, None)
        if wall is None or match.end() <= wall[0]:
            out.append(_of_number(text, match))
        if len(out) >= MOST_FIGURES:
            break
    for match in _SPELLED_NUMBER.finditer(text):
        if len(out) >= MOST_FIGURES:
            break
        out.append(_of_words(text, match))
    return tuple(sorted(out, key=lambda figure: figure.start))


def _of_date(match: re.Match[str]) -> Iterator[Figure]:
    found = match.groupdict()

    def one(letter: str) -> str:
        return next((found[f"{letter}{n}"] for n in range(1, 6) if found.get(f"{letter}{n}")), "")

    year, month, day = one("y"), one("m"), one("d")
    number = int(month) if month.isdigit() else _MONTHS[month.lower()]
    plain = Figure(0.0, "", 1.0, "", "", match.start(), match.end())
    if year:
        yield replace(plain, value=float(year), kind="year")
    if day:
        yield replace(plain, value=100.0 * number + int(day), kind="day")
    # "may" alone is a verb more often than a month.
    elif month.lower() != "may" or year:
        yield replace(plain, value=float(number), kind="month")


def _of_number(text: str, match: re.Match[str]) -> Figure:
    digits = match["number"].replace(",", "")
    scale = _SCALES[match["scale"].lower()] if match["scale"] else 1.0
    unit = (match["unit"] or "").lower()
    kind, factor = _UNITS.get(unit, ("", 1.0))
    sign = (match["sign"] or "").strip()
    if sign and not kind:
        kind = _SIGNS[sign]
    whole, _, decimals = digits.partition(".")
    # Longer runs of digits are no quantities, and a float of them would be infinite.
    number = float(digits[:300]) * scale
    bare = not (match["scale"] or unit or sign or decimals or "," in match["number"])
    behind = text[match.end() : match.end() + 1]
    if bare and len(whole) == 4 and 1500 <= number <= 2099:
        kind = "year"
    before = text[max(0, match.start() - 18) : match.start()]
    noun = _NOUN.match(text, match.end()) if not kind and behind != "." else None
    return Figure(
        number * factor,
        kind,
        10.0 ** -len(decimals) * scale * factor,
        unit or sign,
        noun[1].lower() if noun else "",
        match.start(),
        match.end(),
        about=_ABOUT.search(before) is not None,
        bound=1 if _MORE.search(before) else -1 if _LESS.search(before) else 0,
    )


def _of_words(text: str, match: re.Match[str]) -> Figure:
    value = float(_SPELLED[(match["word"] or match["chinese"]).lower()])
    scale = _SCALES[match["scale"].lower()] if match["scale"] else 1.0
    noun = _NOUN.match(text, match.end())
    return Figure(
        value * scale, "", scale, "", noun[1].lower() if noun else "", match.start(), match.end(), spelled=True
    )


def comparable(one: Figure, other: Figure) -> bool:
    """Whether two figures measure the same kind of thing, so that one can stand in place of the other."""
    if one.kind != other.kind:
        return False
    # Bare numbers count something: three methods do not speak against five data sets.
    return bool(one.kind) or bool(one.noun and one.noun.rstrip("s") == other.noun.rstrip("s"))


def says(given: Figure, claimed: Figure) -> bool:
    """Whether a figure of the document says a claimed one, allowing for what the claim's own rounding leaves open."""
    bare = (given if not given.kind else claimed) if given.kind != claimed.kind else None
    if bare is not None and (bare.kind or bare.noun or not claimed.telling):
        # A cell of a table leaves the unit to its head; a small number without one may be of anything.
        return False
    off, size = abs(given.value - claimed.value), abs(given.value)
    if claimed.bound and not claimed.spelled and claimed.value:
        ratio = given.value / claimed.value
        return 1.0 <= ratio <= BOUND_REACH if claimed.bound > 0 else 1 / BOUND_REACH <= ratio <= 1.0
    if claimed.kind in ("year", "day", "month"):
        return off == 0
    if off <= 1e-9 * size or (off <= claimed.place / 2 * (1 + 1e-9) and off <= LOOSE_TOLERANCE * size):
        return True
    if given.unit != claimed.unit and given.kind and off <= CONVERTED_TOLERANCE * size:
        return True
    return (claimed.about or given.about) and off <= LOOSE_TOLERANCE * size
