"""Words of comparison by what is compared: (words for more, words for less), as regular expressions."""

_SIZE = (r"larger|bigger|greater|wider|vaster", r"smaller|lesser")
_AGE = (r"newer|younger|later|more recent|more modern", r"older|earlier")

COMPARATIVES: dict[str, tuple[str, str]] = {
    "river.length": (r"longer", r"shorter"),
    "river.basin": _SIZE,
    "city.population": (
        r"more populous|more inhabitants|more people|more residents|larger|bigger|greater",
        r"less populous|fewer inhabitants|fewer people|fewer residents|smaller",
    ),
    "city.founded": _AGE,
    "city.area": _SIZE,
    "company.founded": _AGE,
    "company.revenue": (r"higher|larger|bigger|greater|more revenue", r"lower|smaller|less revenue"),
    "institute.founded": _AGE,
    "bridge.length": (r"longer", r"shorter"),
    "bridge.opened": _AGE,
    "dam.height": (r"higher|taller", r"lower|shorter"),
    "dam.completed": _AGE,
    "dam.capacity": (
        r"more powerful|stronger|higher|larger|greater|more capacity",
        r"less powerful|weaker|lower|smaller",
    ),
    "vehicle.introduced": _AGE,
    "vehicle.speed": (r"faster|quicker|swifter", r"slower"),
    "vehicle.weight": (r"heavier", r"lighter"),
    "museum.opened": _AGE,
    "museum.visitors": (
        r"more visited|more visitors|better visited|busier|more popular|higher",
        r"less visited|fewer visitors|less popular|quieter|lower",
    ),
}
