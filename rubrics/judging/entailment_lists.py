"""Lists of words for the comparison of a claim with a document: what says little, what says the same, what opposes."""

import calendar

# Folded names of months and days: capitals that name nobody.
CALENDAR = frozenset(name.casefold() for name in (*calendar.month_name[1:], *calendar.day_name))


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


STOP = frozenset(
    _split(
        """a an the this that these those it its he his she her they their them we our us i you your who whom whose
    which what when where why how is are was were be been being am do does did done has have had having will would shall
    should can could may might must of in on at by for with from to into onto upon over under between among within
    through during about as than then so and or but if while also both either each any some such there here not no nor
    very more most other another own same just only even still already however therefore thus hence moreover
    furthermore additionally respectively per via etc s t re ve ll d one ones et al"""
    )
)
# Words by which reports speak of sources and of themselves: their absence from a page says little.
WEAK = _split(
    """study paper work research approach method author article report finding result evidence source recent various
    several significant important key new novel based overall include including show provide use using used propose
    introduce present demonstrate find found suggest indicate highlight emphasize emphasise note describe discuss
    explore example address aim focus allow enable make made offer apply particular specific different many number
    well often generally notably specifically especially current further total"""
)
CJK_WEAK = frozenset("的了是在和与及也都而为以其这那有等或对从被把将该于之上下中")
SUFFIXES = tuple(
    sorted(
        _split(
            """izations isations ization isation ational ations ation ating ators ator ated ates ate atively ative
        ments ment nesses ness ities ity ings ing edly ed ies ier iest ive ively ers er est es als al ally ly ically
        ical ic s e y"""
        ),
        key=len,
        reverse=True,
    )
)
IRREGULAR = dict(
    pair.split("=")
    for pair in _split(
        """built=build rose=rise risen=rise fell=fall fallen=fall grew=grow grown=grow led=lead held=hold won=win
    lost=lose began=begin begun=begin wrote=write written=write chose=choose chosen=choose children=child women=woman
    men=man higher=high highest=high lower=low lowest=low better=good best=good worse=bad worst=bad length=long
    height=high width=wide depth=deep taught=teach paid=pay spent=spend sold=sell bought=buy ran=run driven=drive
    drove=drive taken=take took=take"""
    )
)
# General English: what one writer calls so another calls so. The first word of a line stands for all of it.
SAME = tuple(
    _split(line)
    for line in (
        "construct build erect builder contractor",
        "locate situate stand lie",
        "open inaugurate inauguration opening",
        "cost price bill expense",
        "employ staff workforce employee worker",
        "found establish founder establishment",
        "company firm enterprise corporation",
        "big large huge",
        "demonstrate reveal",
        "fast quick rapid speed",
        "help assist aid",
        "begin start commence launch",
        "end finish conclude",
        "buy acquire purchase acquisition",
        "automobile car vehicle",
        "doctor physician",
        "population inhabitant resident",
        "year annual yearly",
        "month monthly",
        "seat capacity passenger",
        "visitor visit guest",
        "operate operator",
        "manufacture manufacturer produce maker producer",
        "lead director leader",
        "need require requirement",
        "error mistake fault",
        "accuracy accurate",
        "crucial critical essential vital",
        "problem challenge difficulty issue",
        "illness disease",
        "child kid",
        "city town",
        "law legislation",
        "money fund funding",
    )
)
UP = _split(
    """increase rise grow growth climb gain improve improvement expand expansion high more greater larger exceed surpass
    boost enhance up outperform longer faster taller newer positive"""
)
DOWN = _split(
    """decrease fall decline drop reduce reduction shrink diminish worsen low less fewer smaller lesser cut down
    underperform degrade shorter slower older negative"""
)
