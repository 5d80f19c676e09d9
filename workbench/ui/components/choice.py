"""One of a few views of the same thing, kept in the page's address."""

from collections.abc import Mapping

import streamlit as st

from workbench.ui.session import parameter, set_parameters


def one_of(name: str, options: Mapping[str, str], *, label: str, key: str) -> str:
    """The key of `options` (key -> words) that is chosen; the first is the default and leaves the address bare.

    Its key follows the address: by Back it is another widget, and not one that remembers its last choice.
    """
    first, asked = next(iter(options)), parameter(name)
    chosen = st.segmented_control(
        label,
        list(options),
        default=asked if asked in options else first,
        format_func=options.__getitem__,
        key=f"{key}-{asked!a}",
        label_visibility="collapsed",
    )
    set_parameters({name: None if chosen == first else chosen})
    return chosen or first
