"""One of a few views of the same thing, kept in the page's address."""

from collections.abc import Mapping

import streamlit as st

from workbench.ui.session import parameter, set_parameters


def one_of(name: str, options: Mapping[str, str], *, label: str, key: str) -> str:
    """The key of `options` (key -> words) that is chosen; the first is the default and leaves the address bare."""
    first, asked = next(iter(options)), parameter(name)
    chosen = st.segmented_control(
        label,
        list(options),
        default=asked if asked in options else first,
        format_func=options.__getitem__,
        key=key,
        label_visibility="collapsed",
    )
    set_parameters({name: None if chosen == first else chosen})
    return chosen or first
