"""Syllables from which fictional proper names are built. No real place or person is meant; known hits are refused."""

STARTS = (
    "Bran", "Cal", "Cor", "Dor", "Dra", "Eld", "Fen", "Gar", "Grel", "Hal", "Ist", "Jor", "Kel", "Kor", "Lor", "Mar",
    "Mor", "Nar", "Nel", "Ost", "Pel", "Pran", "Quel", "Ras", "Rov", "Sel", "Skar", "Sor", "Tal", "Tesk", "Tor", "Ulm",
    "Var", "Vel", "Wes", "Yar", "Zel", "Zor",
)  # fmt: skip
MIDDLES = ("a", "e", "i", "o", "an", "en", "in", "or", "ar", "es", "and", "und", "im", "ov")
LONGER = ("bel", "dri", "fos", "gul", "ken", "lim", "mas", "nev", "pir", "sul", "ted", "vim")
ENDS = {
    "river": ("del", "ra", "na", "sk", "va", "th"),
    "city": ("holt", "wick", "stad", "mere", "haven", "burg", "rade"),
    "company": ("co", "vex", "tron", "dane", "mark", "lund"),
    "institute": ("dell", "mond", "well", "ster"),
    "bridge": ("ver", "gate", "ling", "ser"),
    "dam": ("gar", "fell", "rock", "len"),
    "vehicle": ("lyn", "dor", "nix", "ris"),
    "museum": ("rell", "vane", "shaw", "bek"),
}
# Drawn by accident and real, or a word with another meaning.
REFUSED = frozenset({"marburg", "calimere", "toronto", "coral", "moral", "morin", "velimir"})
