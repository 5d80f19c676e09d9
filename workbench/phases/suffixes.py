"""Registered domains (eTLD+1) by the Mozilla Public Suffix List laid beside this file.

`public_suffix_list.dat` is an unmodified copy of the list (Mozilla Public License 2.0, its notice is kept in the file);
the line `// VERSION:` in it names the day. Private suffixes (`github.io`) are ignored, as `tldextract` does by default:
every blog of one host is one site.
"""

from functools import cache, lru_cache

SNAPSHOT_NAME = "public_suffix_list.dat"
PRIVATE_SECTION = "// ===BEGIN PRIVATE DOMAINS==="
DOTS = str.maketrans({"。": ".", "．": ".", "｡": "."})
SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
MAX_LABEL_CHARS = 63
MAX_HOST_CHARS = 253


@cache
def suffix_rules() -> frozenset[str]:
    """Rules of the public section as written in the list: `com`, `co.uk`, `*.ck`, `!www.ck`."""
    from pathlib import Path  # here, since nothing else of this package needs it at import

    text = (Path(__file__).parent / SNAPSHOT_NAME).read_text(encoding="utf-8")
    public = text.partition(PRIVATE_SECTION)[0]
    lines = (line.strip() for line in public.splitlines())
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("//"))


@cache
def _inner_nodes() -> frozenset[str]:
    """Every proper ending of a rule, and the rules: where a walk from the right may go on."""
    nodes: set[str] = set()
    for rule in suffix_rules():
        labels = rule.split(".")
        nodes.update(".".join(labels[index:]) for index in range(len(labels)))
    return frozenset(nodes)


def host_of(address: str) -> str:
    """The host of a URL or bare host: without scheme, user, port, path and trailing dots; its case is kept."""
    return _host_of_authority(_without_scheme(address).partition("/")[0].partition("?")[0].partition("#")[0])


@lru_cache(maxsize=8192)
def registered_domain(address: str) -> str:
    """The registered domain of a URL or host, empty for an IP address, a bare label or an unknown ending.

    Equal to `tldextract`'s `top_domain_under_public_suffix`: the case of the host is kept.
    """
    host = host_of(address).translate(DOTS)
    if host.startswith("[") and host.endswith("]"):
        return ""
    labels = host.split(".")
    cut = _suffix_start(labels)
    if cut is None or cut <= 0 or not labels[cut - 1] or cut >= len(labels):
        return ""
    return ".".join(labels[cut - 1 :])


@lru_cache(maxsize=8192)
def site_of(address: str) -> str:
    """The site that a URL counts for, in lower case: its registered domain, else what stands closest to one.

    An IP address and a bare label are sites of their own. An ending that the list does not know (`.example`, a
    company's own network) counts by the list's default rule, one label under it. Empty where there is no host.
    """
    domain = registered_domain(address)
    if domain:
        return ".".join(decoded_label(label) for label in domain.split("."))
    host = host_of(address).translate(DOTS).lower()
    if len(host) > MAX_HOST_CHARS or any(char.isspace() for char in host):
        return ""
    labels = host.split(".")
    if len(labels) <= 2 or host.startswith("[") or labels[-1].isdecimal() or _suffix_start(labels) is not None:
        return host
    return ".".join(labels[-2:])


def _suffix_start(labels: list[str]) -> int | None:
    """Index of the first label of the public suffix, None if no rule matches."""
    rules, nodes = suffix_rules(), _inner_nodes()
    path, start, index = "", len(labels), len(labels)
    for label in reversed(labels):
        decoded = decoded_label(label)
        longer = f"{decoded}.{path}" if path else decoded
        if longer in nodes:
            index -= 1
            path = longer
            if path in rules:
                start = index
            continue
        if path and f"*.{path}" in rules:
            return index if f"!{decoded}.{path}" in rules else index - 1
        break
    return None if start == len(labels) else start


def decoded_label(label: str) -> str:
    """A host label in lower case, punycode undone where it can be."""
    lowered = label.lower()
    if lowered.startswith("xn--") and len(lowered) <= MAX_LABEL_CHARS:
        try:
            return lowered[4:].encode("ascii").decode("punycode")
        except (UnicodeError, IndexError, OverflowError):
            return lowered
    return lowered


def _without_scheme(address: str) -> str:
    slashes = address.find("//")
    if slashes == 0:
        return address[2:]
    if slashes < 2 or address[slashes - 1] != ":" or set(address[: slashes - 1]) - SCHEME_CHARACTERS:
        return address
    return address[slashes + 2 :]


def _host_of_authority(authority: str) -> str:
    after_user = authority.rpartition("@")[-1]
    if after_user.startswith("["):
        inside, bracket, _ = after_user.partition("]")
        if bracket:
            return f"{inside}]"
    return after_user.partition(":")[0].strip().rstrip(".。．｡")
