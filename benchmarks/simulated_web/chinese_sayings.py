"""Quantities as Chinese prose writes them: 20.3万人, 48万千瓦, 约一百六十五公里; and what such words leave open."""

from collections.abc import Mapping

from benchmarks.simulated_web.manner import Level
from benchmarks.simulated_web.ontology import Relation
from benchmarks.simulated_web.pages import Rounding
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sayings import COUNTED_OUT, ROUNDED_SHARE, STEP_SHARE, Said, step_of

# By the relation's unit: (how many of the written unit make one of it, the word).
_UNITS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "m": ((1, "米"),),
    "km": ((1, "公里"), (1, "千米")),
    "km2": ((1, "平方公里"), (100, "公顷")),
    "m2": ((1, "平方米"),),
    "m3/s": ((1, "立方米每秒"),),
    "MW": ((1, "兆瓦"), (1000, "千瓦")),
    "t": ((1, "吨"), (1000, "公斤")),
    "km/h": ((1, "公里"),),
    "crowns": ((1, "克朗"),),
    "people": ((1, "人"),),
    "employees": ((1, "人"),),
    "students": ((1, "人"),),
    "visitors": ((1, "人次"),),
    "objects": ((1, "件"),),
    "seats": ((1, "个"),),
}
WAN, YI = 10_000, 100_000_000


def say_in_chinese(rng: Rng, relation: Relation, value: int, level: Level) -> Said:
    """A quantity with its unit. Plain pages give it in full or in 万 and 亿; others also round it as English ones do.
    The draws do not depend on the value."""
    units = _UNITS[relation.unit]
    factor, word = units[0] if level == "plain" else rng.choice(units)
    loose, hedge, spelled, short = rng.chance(ROUNDED_SHARE), rng.below(3), rng.chance(0.5), rng.chance(0.6)
    loose = loose and relation.unit not in COUNTED_OUT
    number = value * factor
    step = round(step_of(number))
    if level == "plain" or not loose or step > STEP_SHARE * number or number % step == 0:
        text, low, high = _written(number, short=short or number >= YI, spelled=spelled and level != "plain")
    else:
        below = number // step * step
        nearest = (number + step // 2) // step * step
        # Before a noun "{}上下" would read oddly.
        tail = "大致{}" if relation.unit == "objects" else "{}上下"
        shown, low, high, phrase = (
            (nearest, nearest - step / 2, nearest + step / 2, rng.choice(("约{}", "大约{}", tail))),
            (below + step, below, below + step, rng.choice(("近{}", "不到{}"))),
            (below, below, below + step, rng.choice(("略多于{}", "超过{}"))),
        )[hedge]
        text = phrase.replace("{}", _written(round(shown), short=True, spelled=spelled)[0])
    # What follows the unit in Chinese stands after it: "160公里上下".
    after = next((tail for tail in ("上下",) if text.endswith(tail)), "")
    number_text = text.removesuffix(after)
    rounding = None if low == high else Rounding(low / factor, high / factor)
    return Said(text, f"{number_text}{word}{after}", rounding)


def _written(number: int, *, short: bool, spelled: bool) -> tuple[str, float, float]:
    """The number, and the interval that the places written leave open: a point where nothing is dropped."""
    if spelled:
        words = in_chinese_words(number)
        if len(words) <= 7:
            return words, number, number
    size, name = (YI, "亿") if number >= YI else (WAN, "万")
    if not short or number < WAN:
        return (f"{number:,}" if number >= WAN else str(number)), number, number
    # One place of 万 is at most 2% of what is left when numbers below three of it get two.
    step = size // 10 if number >= 3 * size and size == WAN else size // 100
    shown = (number + step // 2) // step * step
    text = f"{shown / size:.2f}".rstrip("0").rstrip(".") + name
    return (text, number, number) if shown == number else (text, shown - step / 2, shown + step / 2)


_DIGITS = "零一二三四五六七八九"
_PLACES = ("", "十", "百", "千")


def in_chinese_words(number: int) -> str:
    """A whole number from 1 below 10**12: 二十万五千, 一百六十五, 三千零五十."""
    for size, name in ((YI, "亿"), (WAN, "万")):
        if number >= size:
            head, rest = divmod(number, size)
            tail = in_chinese_words(rest) if rest else ""
            return f"{in_chinese_words(head)}{name}{'零' if rest and rest < size // 10 else ''}{tail}"
    text, gap = "", False
    for place in range(3, -1, -1):
        digit = number // 10**place % 10
        if digit:
            text += ("零" if gap and text else "") + _DIGITS[digit] + _PLACES[place]
            gap = False
        else:
            gap = True
    return text.removeprefix("一") if text.startswith("一十") else text


def chinese_year(rng: Rng, year: int, level: Level) -> str:
    """In digits, on harder pages now and then in characters: 一九六二年, 二〇〇四年."""
    spelled = rng.chance(0.3)
    digits = str(year)
    return (
        "".join(_DIGITS[int(d)] for d in digits).replace("零", "〇") if spelled and level != "plain" else digits
    ) + "年"
