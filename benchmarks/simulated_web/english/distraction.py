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
        "whose bakers are said to rise earlier than any others",
        "which once had two railway stations and a feud between them",
        "about which its neighbours like to joke",
    ),
    "company": (
        "which has outlived two of its competitors",
        "whose calendars hang in half the region's kitchens",
        "which has outgrown its site three times",
        "about which everybody in the region has an opinion",
    ),
    "institute": (
        "which has never quite got used to visitors",
        "whose porters are feared and respected",
        "which has turned down two offers of a merger",
        "about which a well-known comic novel was written",
    ),
    "bridge": (
        "which was painted grey against the advice of everybody",
        "whose railings have been climbed by three generations of children",
        "which the county took over from a bankrupt toll society",
        "about which commuters have nothing kind to say on winter mornings",
    ),
    "dam": (
        "which can be seen from the railway for less than a minute",
        "whose caretaker keeps bees",
        "which drowned a village and its orchards",
        "about which schoolchildren learn in their third year",
    ),
    "vehicle": (
        "which was never meant to last as long as it has",
        "whose windows rattle in a way that is hard to mistake",
        "which has been the subject of two television films",
        "about which model makers know everything",
    ),
    "museum": (
        "which has more cellars than anyone has counted",
        "whose caretakers know every creak of the floors",
        "which was closed for repairs more often than its director liked",
        "about which even people who never go have something to say",
    ),
}

# Round a plain sentence about another thing of the kind; {T} is that sentence.
COMPARISONS = (
    "By comparison, {T}",
    "For scale: {T}",
    "To set it beside another: {T}",
    "One more figure for those who collect them: {T}",
)
ELSEWHERE = ("Elsewhere, {T}", "To mention another case, {T}")
WHEREAS = ("Whereas {T}, {M}", "While {T}, {M}")
UNLIKE = ("Unlike {B}, which {Z}, {M}", "In contrast to {B}, which {Z}, {M}")
# What two things have in common before each is told of; {A} and {B} are named.
PAIRS = (
    "{C} and {B} are often named in one breath.",
    "{C} shares a page of the regional handbook with {B}.",
    "People tend to mix up {A} and {B}.",
    "{C} and {B} were the subject of the same lecture last winter.",
    "Whoever writes about {A} sooner or later writes about {B}.",
)
# {X} begins with "The former", {Z} with "the latter".
FORMER = ("{X}, while {Z}", "{X}; {Z}")
# {T} is a plain sentence that is false. The first SOBER of them suit any site.
SOBER = 7
DENIALS = (
    "It is sometimes claimed that {T}; the records do not bear this out.",
    "One still reads that {T}, a misprint that has been copied ever since.",
    "Earlier editions told their readers that {T}; nobody maintains this any longer.",
    "Nothing in the files supports the notion that {T}.",
    "The claim that {T} is a legend, if a stubborn one.",
    "Contrary to what the leaflets say, it is not the case that {T}.",
    "An earlier version of this text stated that {T}; we regret the error.",
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
    "The form on which complaints are made has the number {N}.",
    "The file in the county archive bears the shelf mark {N}.",
)
SAME_YEAR = (
    "The ferry terminal down the coast was closed in {N}.",
    "The regional archive has a gap for {N}, when its cellar flooded.",
    "The winter of {N} was a very cold one.",
)
OTHER_ROLES: dict[str, tuple[str, ...]] = {
    "city": (
        "A photograph of {A} hangs in the waiting room at {N}.",
        "The best-known photograph of {A} was taken by a tourist from {N}.",
    ),
    "company": (
        "{N} once sponsored a calendar with twelve views of {A}.",
        "A model of {A} stands in the canteen of {N}.",
    ),
    "river": ("A suite that a local orchestra named after {N} has a slow movement about {A}.",),
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

# Colour, beside that of `filler`.
ABOUT: dict[str, tuple[str, ...]] = {
    "river": (
        "A ferry on a cable takes walkers over for the price of a bun.",
        "Willow baskets were once sold from boats in autumn.",
        "The gauge house has a stove and a visitors' book.",
        "Herons stand where the warm water of the dye works used to come in.",
    ),
    "city": (
        "The clock on the corn exchange is four minutes slow by tradition.",
        "Students of drawing sit on the steps of the courthouse in June.",
        "A brass band practises in the fire station on Thursdays.",
        "The new library was built where the gasworks had been.",
    ),
    "company": (
        "A retired foreman shows visitors round on the first Saturday of the month.",
        "The gatehouse is a listed monument and a nuisance to lorries.",
        "Its brass band has won more prizes than its products.",
        "Two streets near the plant are named after tools.",
    ),
    "institute": (
        "The herbarium in the attic is older than the roof.",
        "An open day in May fills the corridors with children.",
        "The lift has been out of order for longer than most degrees take.",
        "Its glassblower is booked up until spring.",
    ),
    "bridge": (
        "A stall at the northern end sells roasted chestnuts in winter.",
        "The toll house has become a bookshop.",
        "Anglers are tolerated on the lower walkway.",
        "Its drawings hang in the stairwell of the county office.",
    ),
    "dam": (
        "The keeper's cottage can be rented in summer.",
        "An echo at the western abutment is marked on hiking maps.",
        "Moss has softened the downstream face.",
        "A bell is rung before water is let out.",
    ),
    "vehicle": (
        "The horn has two notes, and both are flat.",
        "Conductors hang their coats behind the second door.",
        "One unit was painted by schoolchildren and never repainted.",
        "A preserved example runs on summer Sundays.",
    ),
    "museum": (
        "The cloakroom attendant knows most of the pieces by their nicknames.",
        "A lift was added so discreetly that few find it.",
        "The garden has a sundial in the shade of a lime tree.",
        "Its posters are collected by people who have never been inside.",
    ),
}
