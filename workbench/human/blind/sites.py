"""Sites that one system alone turns to again and again: in running text they would tell it apart."""

import re
from collections import defaultdict
from collections.abc import Mapping

from workbench.phases.suffixes import registered_domain

# On so many questions it is a habit; on one it is the question's own source, and masking it would take content away.
HABIT = 3
_HOST = re.compile(r"(?<![\w.@-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?![\w-])", re.IGNORECASE)


def sites_of_one(texts: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Registered domains named on three questions or more by one run and by no other, from run -> question -> text."""
    named: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for run, of_run in texts.items():
        for text in of_run.values():
            for site in {registered_domain(found.group(0).lower()) for found in _HOST.finditer(text)}:
                named[site][run] += 1
    return frozenset(
        site for site, by_run in named.items() if site and len(by_run) == 1 and next(iter(by_run.values())) >= HABIT
    )
