"""Every relation in other words: sentences that share as little as they can with the plain ones and their cues.

{S} subject, {P} possessive, {V} value with its unit, {N} number alone, {Y} year of a dated value; {K} an anniversary
("fiftieth") that was kept in the year {B}. A sentence that begins with "{S} " can take a clause after its subject.
"""

REWORDED: dict[str, tuple[str, ...]] = {
    "river.length": (
        "{V} lie between {P} source and the point where it loses its name.",
        "{S} winds its way through {V} of hills, towns and reed beds.",
        "Anyone who paddles {S} from end to end has {V} behind them.",
        "Surveyors who walked {P} banks from source to outflow put the journey at {V}.",
    ),
    "river.basin": (
        "Rain that falls anywhere on {V} of land ends up in {S}.",
        "{S} gathers its water from {V} of hills and plain.",
        "The brooks of {V} of country all find their way into {S}.",
    ),
    "river.discharge": (
        "In a typical year, {V} pass {P} lowest gauge.",
        "{S} delivers {V}, year in, year out.",
        "Hydrologists reckon with {V} for {S}, floods and droughts evened out.",
    ),
    "river.mouth": (
        "{V} receives {P} water.",
        "{S} meets {V} among reed beds and old quays.",
        "Boats that drift down {S} come out on {V}.",
        "Where {S} stops, {V} begins.",
    ),
    "city.population": (
        "The census of {Y} found {V} in {S}.",
        "{S} had to find beds, schools and water for {V} in {Y}.",
        "In {Y}, {V} had an address in {S}.",
    ),
    "city.founded": (
        "Settlers laid out {P} first streets in {V}.",
        "{S} has been a town since {V}.",
        "{S} kept its {K} birthday in {B}.",
        "{S} first appears in the tithe books, as a new settlement, in {V}.",
    ),
    "city.elevation": (
        "From the tide mark on the coast one climbs {V} to reach {S}.",
        "{S} sits {V} further up than the nearest harbour's tide mark.",
        "A brass plate at the station puts {S} {V} above the level of the tides.",
    ),
    "city.area": (
        "Within its boundary stones {S} has {V} to itself.",
        "{V} lie inside {P} limits.",
        "{P} town clerk answers for {V} of ground.",
        "{S} takes up {V} of the county map.",
    ),
    "city.river": (
        "{V} divides {S} in two.",
        "{S} grew up around a ford of {V}.",
        "{V} passes beneath the windows of {P} town hall.",
        "{P} mills were once turned by {V}.",
    ),
    "company.founded": (
        "{S} wrote its first invoice in {V}.",
        "The first year in which {S} kept books was {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
        "The partners behind {S} signed the papers in {V}.",
    ),
    "company.headquarters": (
        "{S} is run from an office block in {V}.",
        "{P} directors meet in {V}.",
        "Letters to {S} are addressed to {V}.",
        "{V} is where {S} pays its taxes and takes its decisions.",
    ),
    "company.employees": (
        "{S} paid wages to {V} in {Y}.",
        "In {Y}, {V} clocked in at {S}.",
        "The Christmas letter of {Y} went out to all {N} who drew a wage from {S}.",
    ),
    "company.revenue": (
        "In {Y} customers paid {S} {V}.",
        "{S} closed its books for {Y} with {V} on the income side.",
        "{S} invoiced {V} in {Y}.",
    ),
    "institute.founded": (
        "The first lecture at {S} was given in {V}.",
        "{S} has been teaching since {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
        "A bequest brought {S} into being in {V}.",
    ),
    "institute.city": (
        "Those who study at {S} look for rooms in {V}.",
        "{V} gave {S} its plot of land.",
        "{P} lecture halls belong to the townscape of {V}.",
        "{S} shares a tram stop with the town hall of {V}.",
    ),
    "institute.students": (
        "In {Y}, {V} studied at {S}.",
        "{S} taught {V} in {Y}.",
        "{S} had {V} to feed, house and examine in {Y}.",
    ),
    "institute.budget": (
        "{S} had {V} at its disposal in {Y}.",
        "For {Y} the treasury set aside {V} for {S}.",
        "{S} went through {V} in {Y}.",
    ),
    "bridge.length": (
        "{S} spans {V}.",
        "{V} separate {P} two ends.",
        "{S} takes the road across {V} of water and mud flats.",
        "Whoever walks {S} from one bank to the other has {V} in their legs.",
    ),
    "bridge.opened": (
        "The ribbon across {S} was cut in {V}.",
        "The first cart rolled over {S} in {V}.",
        "{S} took over from the ferry in {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
    ),
    "bridge.builder": (
        "{S} is the work of {V}.",
        "{V} raised {S}.",
        "It was {V} whose crews threw {S} across the water.",
        "The drawings for {S}, and the crews that followed them, came from {V}.",
    ),
    "bridge.city": (
        "{S} carries the ring road of {V}.",
        "People in {V} cross {S} on their way to work.",
        "{V} owes its shortest way across the water to {S}.",
        "{S} joins the two halves of {V}.",
    ),
    "bridge.cost": (
        "The treasury had to find {V} before {S} was ready.",
        "{S} swallowed {V}.",
        "{V} went into {S}.",
        "By the last invoice, {V} had been spent on {S}.",
    ),
    "dam.height": (
        "A stone dropped from {P} crest falls {V}.",
        "{S} towers {V} above its own footings.",
        "{V} of concrete stand between the valley floor and {P} crest.",
    ),
    "dam.completed": (
        "The last bucket of concrete for {S} was poured in {V}.",
        "{S} was handed over in {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
        "The scaffolding around {S} came down in {V}.",
    ),
    "dam.capacity": (
        "{S} feeds {V} into the grid when all of its turbines turn.",
        "At full load {S} is good for {V}.",
        "{P} turbines are rated at {V} together.",
    ),
    "dam.river": (
        "{S} turns {V} into a lake.",
        "The water that backs up behind {S} is that of {V}.",
        "{V} is stopped by {S} on its way down.",
        "{S} has tamed {V}.",
    ),
    "dam.operator": (
        "{S} is in the hands of {V}.",
        "{P} control room takes its orders from {V}.",
        "Whoever turns a valve at {S} has a contract with {V}.",
        "{V} looks after {S}.",
    ),
    "vehicle.maker": (
        "{S} left the halls of {V}.",
        "{S} comes from {V}.",
        "The brass plate inside {S} bears the name of {V}.",
        "{V} supplied {S} to the railways.",
    ),
    "vehicle.introduced": (
        "The first travellers boarded {S} in {V}.",
        "{S} has been on the timetable since {V}.",
        "{S} first turned a wheel with paying customers aboard in {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
    ),
    "vehicle.speed": (
        "With the throttle fully forward {S} does {V}.",
        "{S} can be driven at {V} and no more.",
        "The needle on {P} dial stops at {V}.",
    ),
    "vehicle.seats": (
        "{S} offers {N} travellers a place to sit.",
        "When {N} travellers have sat down in {S}, the rest must stand.",
        "Nobody need stand in {S} until {N} people are aboard.",
    ),
    "vehicle.weight": (
        "{S} presses on the rails with {V} when nobody is aboard.",
        "A crane that lifts {S} must be good for {V}.",
        "Put on a scale without anyone aboard, {S} comes to {V}.",
    ),
    "museum.opened": (
        "The first ticket to {S} was sold in {V}.",
        "{S} has been showing its treasures since {V}.",
        "{S} celebrated its {K} anniversary in {B}.",
        "{S} let in the public for the first time in {V}.",
    ),
    "museum.city": (
        "School classes from all over {V} walk to {S}.",
        "To see {S} one gets off the train at {V}.",
        "{S} occupies a corner of the old market of {V}.",
        "{V} lent {S} a former granary to move into.",
    ),
    "museum.visitors": (
        "In {Y}, {V} passed through {P} turnstiles.",
        "{S} drew {V} in {Y}.",
        "{S} was seen by {V} in {Y}.",
    ),
    "museum.objects": (
        "{S} looks after {V}.",
        "{P} inventory lists {V}.",
        "{V} fill {P} show cases and cellars.",
    ),
    "museum.floor": (
        "{S} has {V} of rooms to show.",
        "{P} rooms add up to {V}.",
        "Whoever walks through every room of {S} has crossed {V} of parquet.",
    ),
}

# Dated relations where the page names no year.
UNDATED: dict[str, tuple[str, ...]] = {
    "city.population": ("{V} call {S} their town.", "{S} is a place of {V}.", "{S} has {V} to look after."),
    "company.employees": ("{V} earn their living at {S}.", "{S} gives {V} a wage."),
    "company.revenue": ("{S} earns {V} a year.", "A year brings {S} {V}."),
    "institute.students": ("{S} teaches {V}.", "{V} are reading for a degree at {S}."),
    "institute.budget": ("It takes {V} a year to keep {S} going.", "{S} gets by on {V} a year."),
    "museum.visitors": ("{S} draws {V} a year.", "{V} a year pass through {P} turnstiles."),
}

# Categories are paraphrased one by one.
CATEGORIES: dict[str, dict[str, tuple[str, ...]]] = {
    "company.industry": {
        "civil engineering": (
            "{S} lives off foundations, piers and road beds.",
            "What {S} does best is pour concrete and sink piers.",
        ),
        "vehicle construction": (
            "{S} turns out rolling stock.",
            "Axles, bogies and coach bodies are what {P} halls are full of.",
        ),
        "power generation": (
            "{S} lives by selling electricity that it makes itself.",
            "Turbines and transformers are what {S} knows about.",
        ),
    },
    "institute.field": {
        "hydrology": (
            "Whoever wants to understand rivers and groundwater goes to {S}.",
            "{S} measures wells, streams and rainfall.",
        ),
        "seismology": ("{S} listens for earthquakes.", "Tremors of the ground are what {S} was made for."),
        "forestry": (
            "{S} trains people to look after woodland.",
            "Most of what comes out of {S} is about the care of trees.",
        ),
        "metallurgy": (
            "{S} is about ores, alloys and furnaces.",
            "Whoever leaves {S} with a degree knows how steel behaves.",
        ),
        "oceanography": (
            "{S} sends its people out to sea to record tides and currents.",
            "Currents, salt and the sea floor are what {S} is about.",
        ),
        "plant breeding": (
            "{S} gave farmers most of the region's newer wheats.",
            "New varieties of barley and wheat come from {S}.",
        ),
        "cartography": ("{S} trains those who draw maps.", "Maps, and how to draw them, are what {S} is about."),
    },
    "bridge.design": {
        "suspension bridge": (
            "{S} hangs from two great cables slung between its towers.",
            "{P} deck hangs by upright rods from a pair of great cables.",
        ),
        "cable-stayed bridge": (
            "{S} is held by straight stays that run from its pylons directly to the deck.",
            "Stays fan out from {P} pylons to the edge of the deck.",
        ),
        "steel arch bridge": (
            "{S} rests on a curved rib of riveted metal.",
            "A curved metal rib, rising from bank to bank, bears {P} roadway.",
        ),
        "truss bridge": (
            "{S} gets its stiffness from a lattice of triangles.",
            "A lattice of triangles bears {P} roadway.",
        ),
        "girder bridge": (
            "{S} rests on plain straight beams.",
            "{P} roadway lies on plain beams from pier to pier.",
        ),
    },
}

# Heads of columns; the unit follows in brackets where there is one.
COLUMNS: dict[str, str] = {
    "river.length": "Source to end",
    "river.basin": "Land whose rain it takes",
    "river.discharge": "Typical year",
    "river.mouth": "Comes out on",
    "city.population": "Census",
    "city.founded": "Town since",
    "city.elevation": "Over the tide mark",
    "city.area": "Within the limits",
    "city.river": "Water",
    "company.founded": "First invoice",
    "company.headquarters": "Directors meet in",
    "company.employees": "On wages",
    "company.revenue": "Paid in by customers",
    "company.industry": "What it lives off",
    "institute.founded": "First lecture",
    "institute.city": "Lecture halls",
    "institute.students": "Taught",
    "institute.field": "Subject",
    "institute.budget": "To get by on",
    "bridge.length": "End to end",
    "bridge.opened": "Ribbon cut",
    "bridge.builder": "Work of",
    "bridge.city": "Town",
    "bridge.cost": "Swallowed",
    "bridge.design": "How it is held up",
    "dam.height": "Crest over footings",
    "dam.completed": "Last concrete",
    "dam.capacity": "At full load",
    "dam.river": "Lake made of",
    "dam.operator": "In the hands of",
    "vehicle.maker": "From the halls of",
    "vehicle.introduced": "On the timetable since",
    "vehicle.speed": "Needle stops at",
    "vehicle.seats": "Places to sit",
    "vehicle.weight": "On the scale, empty",
    "museum.opened": "First ticket",
    "museum.city": "Town",
    "museum.visitors": "Through the turnstiles",
    "museum.objects": "Pieces",
    "museum.floor": "Parquet",
}
