"""The store that this server shows, opened once, and the address of a page as the place where its state lives."""

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

import streamlit as st

from workbench.settings import describe_url, load_settings
from workbench.store import Store, open_store


@st.cache_resource(show_spinner=False)
def _open(url: str) -> Store:
    return open_store(url)


def store() -> Store:
    """The store of WORKBENCH_STORE. Repositories are safe to use from several sessions at once."""
    return _open(load_settings().store_url)


def store_url() -> str:
    return load_settings().store_url


def store_label() -> str:
    """The store's address for people: no password."""
    return describe_url(store_url())


def parameter(name: str, default: str = "") -> str:
    """A query parameter of the page's address: the permalink is the state."""
    return st.query_params.get(name, default)


def whole_number(name: str, default: int | None = None) -> int | None:
    """A query parameter as a number >= 0; the default for anything else that a hand may have typed."""
    text = parameter(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def join_names(names: Sequence[str]) -> str:
    """Names as one parameter: a comma within a name is written so that it is not taken for a separator."""
    return ",".join(_HALF.sub(_number_of, name.replace("%", "%25").replace(",", "%2C")) for name in names)


def split_names(text: str) -> list[str]:
    """Inverse of `join_names`."""
    return [_NUMBER.sub(_half_of, name).replace("%2C", ",").replace("%25", "%") for name in text.split(",") if name]


# Half of a surrogate pair, of a file's name that is not UTF-8, cannot stand in an address.
_HALF = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile("%u(D[89A-F][0-9A-F]{2})")


def _number_of(match: re.Match[str]) -> str:
    return f"%u{ord(match.group()):04X}"


def _half_of(match: re.Match[str]) -> str:
    return chr(int(match.group(1), 16))


def sayable(value: str) -> str:
    """A parameter as an address can carry it: what no address can is a question mark."""
    return value.encode("utf-8", "replace").decode()


def set_parameters(values: Mapping[str, str | None]) -> None:
    """Writes parameters into the address; None or empty removes one.

    In one go: each writing of its own would be a step of the browser's history, and Back would need a press for each.
    """
    there = st.query_params.to_dict()
    wanted = {name: value for name, value in there.items() if name not in values or values[name]}
    wanted |= {name: sayable(value) for name, value in values.items() if value}
    if wanted != there:
        st.query_params.from_dict(wanted)


def rerun_at(values: Mapping[str, str | None]) -> NoReturn:
    """Writes parameters and runs the page again under its new address."""
    set_parameters(values)
    st.rerun()
