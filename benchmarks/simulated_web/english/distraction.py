"""What surrounds the sentence that counts on a distracting page: clauses, comparisons, denials, other uses."""

# Clauses between a subject and what is said of it; they state no fact of the graph.
CLAUSES: dict[str, tuple[str, ...]] = {
    "river": (
        "which local painters have never left alone",
        "whose floods are part of every family's stories",
        "which was straightened twice and has undone the work both times",
        "about which the fishermen on either side tell different stories",
    ),
    "city": (
        "which the guidebooks pass over in half a page",
        "whose market square was rebuilt after a fire",
        "which once had two railway stations and a feud between them",
        "about which its neighbours like to joke",
    ),
    "company": (
        "which has outlived two of its competitors",
        "whose blue delivery vans are known everywhere",
        "which has been through two mergers and a strike",
        "about which everybody in the region has an opinion",
    ),
    "institute": (
        "which began in rented rooms above a bakery",
        "whose library lends to anyone who lives nearby",
        "which has turned down two offers of a merger",
        "about which a well-known comic novel was written",
    ),
    "bridge": (
        "which replaced a ferry that had run for generations",
        "whose lamps were changed after complaints from astronomers",
        "which the county took over from a bankrupt toll society",
        "about which commuters have nothing kind to say on winter mornings",
    ),
    "dam": (
        "which was planned as a protection against floods",
        "whose fish ladder was added after years of argument",
        "which drowned a village and its orchards",
        "about which schoolchildren learn in their third year",
    ),
    "vehicle": (
        "which was drawn up after two earlier designs had been rejected",
        "whose doors close with a sound that regulars recognise",
        "which the mechanics like less than the drivers do",
        "about which model makers know everything",
    ),
    "museum": (
        "which grew out of the estate of a grain merchant",
        "whose attic is shown only on guided tours",
        "which was closed for repairs more often than its director liked",
        "about which even people who never go have something to say",
    ),
}

# Round a plain sentence about another thing of the kind; {T} is that sentence.
COMPARISONS = ("By comparison, {T}", "For scale: {T}", "To set it beside another: {T}")
ELSEWHERE = ("Elsewhere, {T}", "To mention another case, {T}")
WHEREAS = ("Whereas {T}, {M}", "While {T}, {M}")
UNLIKE = ("Unlike {B}, which {Z}, {M}", "In contrast to {B}, which {Z}, {M}")
# What two things have in common before each is told of; {A} and {B} are named.
PAIRS = (
    "{C} and {B} are often named in one breath.",
    "{C} shares a page of the regional handbook with {B}.",
    "People tend to mix up {A} and {B}.",
)
# {X} begins with "The former", {Z} with "the latter".
FORMER = ("{X}, while {Z}", "{X}; {Z}")
# {T} is a plain sentence that is false. The first SOBER of them suit any site.
SOBER = 3
DENIALS = (
    "It is sometimes claimed that {T}; the records do not bear this out.",
    "One still reads that {T}, a misprint that has been copied ever since.",
    "Earlier editions told their readers that {T}; nobody maintains this any longer.",
    "The story that {T} was put about by a rival paper and later withdrawn.",
    "A plaque, since taken down, told passers-by that {T}, which was never so.",
)
# {T} is a plain sentence about an earlier year.
EARLIER = (
    "Things change: {T}",
    "To go by an older edition, {T}",
    "Anyone who looks into back issues will read that {T}",
)
# The same number, of something else. Only for whole numbers.
SAME_NUMBER = (
    "A commemorative print was issued in an edition of {N}.",
    "The regional lottery was once won, to general amusement, by ticket {N}.",
    "By coincidence, {N} is also the number of the form on which complaints are made.",
    "The file in the county archive bears the shelf mark {N}.",
)
SAME_YEAR = (
    "In the same year, {N}, the ferry terminal down the coast was closed.",
    "The regional archive has a gap for {N}, when its cellar flooded.",
    "The year {N} is also remembered for a very cold winter.",
)
OTHER_ROLES: dict[str, tuple[str, ...]] = {
    "city": (
        "A photograph of it hangs in the waiting room at {N}.",
        "Its best-known photograph was taken by a tourist from {N}.",
    ),
    "company": (
        "{N} once sponsored a calendar with twelve views of it.",
        "A model of it stands in the canteen of {N}.",
    ),
    "river": ("It figures in a suite that a local orchestra named after {N}.",),
}

# First sentences for reworded pages, beside those of `filler`.
LEADS: dict[str, tuple[str, ...]] = {
    "river": ("There is more to be said about {S} than fits on a postcard.", "{C} has its admirers and its drowned."),
    "city": ("There is more to {S} than its station.", "{C} is best seen on foot and on a weekday."),
    "company": ("Few names are as well known in the region as {S}.", "{C} has a way of staying in the news."),
    "institute": ("People who went to {S} like to say so.", "{C} is older in spirit than its buildings suggest."),
    "bridge": ("Most people have crossed {S} without a thought.", "{C} is photographed more often than it is painted."),
    "dam": ("Engineers come a long way to look at {S}.", "{C} was unpopular before it was admired."),
    "vehicle": ("Everyone who travels on branch lines has met {S}.", "{C} is easier to like than to repair."),
    "museum": ("A wet afternoon is the best time for {S}.", "{C} rewards those who come twice."),
}
