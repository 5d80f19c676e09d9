"""Sentences that state no fact of the graph: openings, colour, boilerplate, and whole pages about other things."""

# First sentences of a page about one thing. {S} is its name, {C} a capitalised form for the start of the sentence.
LEADS: dict[str, tuple[str, ...]] = {
    "river": (
        "{C} is a lowland river that most people know from the railway window.",
        "{C} rises in the hills and is joined by several smaller streams.",
        "Few rivers of the region have been written about as often as {S}.",
    ),
    "city": (
        "{C} is a market town that grew into a regional centre.",
        "{C} is one of the cities that the northern railway made.",
        "Visitors usually pass through {S} on their way to the coast, and miss something.",
    ),
    "company": (
        "{C} is a family name in its trade, although no family owns it today.",
        "{C} went through two mergers and kept its name in both.",
        "Hardly anyone in the region has no relative at {S}.",
    ),
    "institute": (
        "{C} is a teaching and research institution with a long list of alumni.",
        "{C} began in rented rooms above a bakery.",
        "Applicants to {S} sit an entrance examination in two parts.",
    ),
    "bridge": (
        "{C} is one of the better known crossings of the region.",
        "{C} replaced a ferry that had run for generations.",
        "Commuters either love or avoid {S}.",
    ),
    "dam": (
        "{C} is a concrete structure in a narrow part of its valley.",
        "{C} was planned for flood control and ended up doing rather more.",
        "The road along the crest of {S} is open to walkers.",
    ),
    "vehicle": (
        "{C} is a familiar sight on secondary lines.",
        "{C} was drawn up after two earlier designs had been rejected.",
        "Drivers speak well of {S}, mechanics less so.",
    ),
    "museum": (
        "{C} is a house with an old core and a new wing.",
        "{C} grew out of the estate of a grain merchant.",
        "School classes fill {S} on weekday mornings.",
    ),
}

ABOUT: dict[str, tuple[str, ...]] = {
    "river": (
        "Otters returned to the upper reaches after the paper mill closed.",
        "In dry summers sandbanks appear below the second lock.",
        "A footpath follows the water for most of its way.",
        "Barge traffic has declined, and kayaks have taken its place.",
        "Old maps show the bed further east than it is today.",
        "The spring floods are announced by sirens in three villages.",
        "Anglers value the slow pools beneath the willows.",
    ),
    "city": (
        "The tram network was closed, regretted and partly rebuilt.",
        "A fire destroyed most of the timber houses around the market square.",
        "The weekly market sells cheese, rope and second-hand tools.",
        "Its theatre is better known than its football team.",
        "The old town walls survive as a ring of gardens.",
        "Rents have risen since the express trains began to stop here.",
        "A local dish of barley and smoked fish divides opinion.",
    ),
    "company": (
        "The apprentices' workshop is open to the public once a year.",
        "A strike over shift patterns ended after eleven days.",
        "Its blue delivery vans are a common sight.",
        "The archive keeps drawings that nobody has been able to date.",
        "The board has promised to publish its procurement rules.",
        "Analysts describe the order book as solid and the marketing as timid.",
        "The canteen is said to be the best argument for joining.",
    ),
    "institute": (
        "Its library lends to anyone who lives nearby.",
        "A wind tunnel in the cellar is used by three departments.",
        "The summer school fills up within an hour.",
        "Students publish a satirical paper that the senate tolerates.",
        "The great hall has an organ that nobody can tune.",
        "Exchange agreements exist with partners on two continents.",
        "Its seed store is kept at a constant temperature.",
    ),
    "bridge": (
        "Cyclists have a lane of their own on the downstream side.",
        "The lamps were replaced after complaints from astronomers.",
        "Peregrine falcons nest under the deck.",
        "Heavy lorries are sent round by the ring road.",
        "In fog the railings are the only thing one can see.",
        "A choir sings here on the last evening of the year.",
        "The paint is renewed in sections, so that the colour never quite matches.",
    ),
    "dam": (
        "The reservoir is used for rowing regattas.",
        "A fish ladder was added after years of argument.",
        "Guided tours go down to the inspection gallery.",
        "The spillway is opened once a year for testing.",
        "Swallows build their nests beneath the walkway.",
        "A submerged church tower can be seen when the water is low.",
        "The access road is closed in icy weather.",
    ),
    "vehicle": (
        "Its doors close with a sound that regulars recognise.",
        "The first units were painted green and cream.",
        "Large windows made it popular with hikers.",
        "A driver's cab from a scrapped unit stands in a playground.",
        "Noise at low speed was the main complaint of early passengers.",
        "A kit for modellers has been out of print for years.",
        "Bicycles travel in the middle section.",
    ),
    "museum": (
        "The café in the courtyard is open even when the galleries are not.",
        "A mechanical orchestra plays on the hour.",
        "Labels are printed in large type after a campaign by readers.",
        "The attic is shown only on guided tours.",
        "Children may handle a replica of the harbour crane.",
        "Its lecture series attracts regulars from the whole district.",
        "A loan of lace from abroad was extended twice.",
    ),
}

# What surrounds the text on a site of each kind.
BOILERPLATE: dict[str, tuple[str, ...]] = {
    "registry": (
        "This entry is provided for information and has no legal force.",
        "Corrections may be sent to the records desk.",
    ),
    "encyclopedia": ("This article needs more references.", "Text may be reused with attribution."),
    "newspaper": ("Subscribers can read this article in the app.", "More from our regional desk is on the next page."),
    "official": ("Press enquiries are answered on working days.", "Sign up for our newsletter."),
    "archive": (
        "Scanned from the printed edition; errors of recognition are possible.",
        "Reproduced with permission of the publisher.",
    ),
    "travel": (
        "If you liked this post, tell a friend who owns a thermos.",
        "Comments are closed because of the usual reasons.",
    ),
    "forum": ("Be kind. Threads are closed after ninety days.", "Log in to reply."),
    "listing": (
        "You will not believe the next list.",
        "Figures are collected from around the web. Accept cookies to continue.",
    ),
}

NEWS_OPENINGS = (
    "A public hearing about {S} drew more people than the hall could hold.",
    "The council has postponed its decision on the surroundings of {S}.",
    "A photograph of {S} has won the regional prize for amateurs.",
    "A new study guide devotes a chapter to {S}.",
    "Plans for a festival around {S} were presented on Tuesday.",
)
NEWS_QUOTES = (
    '"We have waited long enough," a spokesperson said after the meeting.',
    '"Nobody is against it, but somebody has to pay," said one resident.',
    '"It is a question of maintenance, as always," an engineer told this newspaper.',
)
TRAVEL_OPENINGS = (
    "It rained, of course, but we had packed for it.",
    "The morning train was late, so we had time for a second coffee.",
    "This stop was not on our list, and it became the best of the week.",
)
FORUM_OPENINGS = (
    "Does anyone here know more about {S}? The leaflets all say the same three things.",
    "Settling a bet about {S}. Sources welcome.",
    "My daughter has to write about {S} for school. What should she not leave out?",
)
FORUM_REPLIES = (
    "From memory, so check it:",
    "Looked this up last week.",
    "Easy one.",
    "Regular here.",
    "I used to work nearby.",
)
LIST_OPENINGS = (
    "We ranked them so that you do not have to.",
    "Some of these are famous, some should be.",
    "Save this list for your next quiz night.",
)
TABLE_OPENINGS = (
    "This table is kept by volunteers; the notes below it apply.",
    "The figures follow the usual definitions unless marked.",
)

# Pages about other things: title, then sentences of which a page takes most.
OTHER_PAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Rye bread for people with little time",
        (
            "Feed the starter on the evening before.",
            "Mix coarse rye flour, salt and lukewarm water until no dry spots are left.",
            "The dough should look like wet cement, which is a compliment.",
            "Let it rise in a greased tin under a damp cloth.",
            "Bake it hot at first and then turn the oven down.",
            "It tastes best on the second day, with butter and radishes.",
            "Caraway is allowed, raisins are not.",
        ),
    ),
    (
        "Pruning currants without fear",
        (
            "Currants fruit on wood of the second and third year.",
            "Remove the oldest stems close to the ground after harvest.",
            "Use clean shears and wear gloves.",
            "A bush that is open in the middle dries faster after rain.",
            "Mulch with leaves, but keep the stems free.",
            "If aphids come early, a strong jet of water is enough.",
        ),
    ),
    (
        "Weather notes for the coming week",
        (
            "A ridge of high pressure brings dry days at first.",
            "From midweek on, cloud thickens from the west.",
            "Night frost is possible in sheltered valleys.",
            "Winds stay light and turn to the south.",
            "Farmers should get the hay in before the weekend.",
            "The outlook beyond that is uncertain.",
        ),
    ),
    (
        "Chess club evening: a small report",
        (
            "Eighteen players came, and two of them brought cake.",
            "The youngest participant won the blitz section on tie-break.",
            "A long endgame with bishops of opposite colours was drawn after midnight.",
            "The clocks were finally repaired.",
            "Next month there will be a simultaneous exhibition.",
            "Beginners are welcome and get the comfortable chairs.",
        ),
    ),
    (
        "How to wax a wooden floor",
        (
            "Sweep twice, then go over it with a dry mop.",
            "Test the wax in a corner that nobody sees.",
            "Thin coats dry evenly and thick ones never do.",
            "Polish along the grain with a soft brush.",
            "Keep socks away from the room for a day.",
            "A waxed floor forgives scratches better than a varnished one.",
        ),
    ),
    (
        "Letters to the editor about noise",
        (
            "Several readers wrote about leaf blowers.",
            "One suggests rakes, another suggests earplugs.",
            "A retired teacher points out that children are louder and more welcome.",
            "The church bells have their defenders.",
            "We close the correspondence for this season.",
            "Letters may be shortened.",
        ),
    ),
    (
        "Knitting pattern: the plain scarf",
        (
            "Cast on an odd number of stitches.",
            "Slip the first stitch of each row for a neat edge.",
            "Work in moss stitch until the wool is nearly gone.",
            "Bind off loosely, or the end will pull in.",
            "Wash by hand and dry flat.",
            "Grey hides everything, including mistakes.",
        ),
    ),
)
