"""How a question speaks of what it does not name: {S} the thing that a link starts from, {V} a value."""

# From a thing to the one that it is linked with.
HOPS = {
    "bridge.builder": "the company that built {S}",
    "bridge.city": "the city in which {S} stands",
    "dam.operator": "the company that operates {S}",
    "dam.river": "the river on which {S} stands",
    "vehicle.maker": "the company that makes {S}",
    "company.headquarters": "the city in which {S} has its headquarters",
    "institute.city": "the city in which {S} is",
    "museum.city": "the city in which {S} is",
    "city.river": "the river on which {S} stands",
}
# "the bridge that ...": a link to something that is named.
LINK_CLUES = {
    "bridge.builder": "was built by {V}",
    "bridge.city": "stands in {V}",
    "dam.operator": "is operated by {V}",
    "dam.river": "stands on {V}",
    "vehicle.maker": "is made by {V}",
    "company.headquarters": "has its headquarters in {V}",
    "institute.city": "is in {V}",
    "museum.city": "is in {V}",
    "city.river": "stands on {V}",
}
# A decade instead of a year; nothing before 1800, of which nobody speaks in decades.
DECADE_CLUES = {
    "bridge.opened": "opened in the {V}",
    "dam.completed": "was completed in the {V}",
    "vehicle.introduced": "was introduced in the {V}",
    "company.founded": "was founded in the {V}",
    "institute.founded": "was founded in the {V}",
    "museum.opened": "opened in the {V}",
}
EARLIEST_DECADE = 1800
# A range instead of a figure.
RANGE_CLUES = {
    "bridge.length": "is between {V} m long",
    "dam.height": "is between {V} m high",
    "dam.capacity": "has an installed capacity of between {V} MW",
    "vehicle.seats": "has between {V} seats",
    "vehicle.weight": "weighs between {V} t",
    "museum.floor": "has an exhibition area of between {V} m2",
}
OPENINGS_NAMED = ("Start from {S}.", "Begin with {S}.", "This is about {S} and what it is connected with.")
OPENINGS_DESCRIBED = (
    "Consider the {S}.",
    "I am looking for the {S}.",
    "Start from the {S}; its name is for you to find.",
)
