"""Every page by name: its address, its title, its place in the navigation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from workbench.ui.session import sayable


@dataclass(frozen=True, slots=True)
class Route:
    """A page. `module` is imported when the page is first shown, so a page's libraries cost the others nothing."""

    name: str
    title: str
    hidden: bool = False

    def run(self) -> None:
        page: Callable[[], None] = import_module(f"workbench.ui.views.{self.name}").page
        page()


ROUTES: tuple[Route, ...] = (
    Route("overview", "Overview"),
    Route("trajectories", "Trajectories"),
    Route("trajectory", "Trajectory", hidden=True),
    Route("compare", "Compare"),
    Route("phases", "Phases"),
    Route("diagnosis", "Diagnosis"),
    Route("graders", "Graders"),
    Route("grade", "Grade", hidden=True),
    Route("stress", "Stress"),
    Route("rate", "Rate"),
    Route("reward", "Reward"),
    Route("training", "Training"),
    Route("jobs", "Jobs"),
)


def pages() -> dict[str, StreamlitPage]:
    """Streamlit's page objects by route name, made anew for each run of the script."""
    made = {
        route.name: st.Page(
            route.run,
            title=route.title,
            url_path=route.name,
            default=route.name == "overview",
            visibility="hidden" if route.hidden else "visible",
        )
        for route in ROUTES
    }
    st.session_state["_pages"] = made
    return made


def _sayable(parameters: Mapping[str, str]) -> dict[str, str]:
    return {name: sayable(value) for name, value in parameters.items()}


def go(name: str, **parameters: str) -> None:
    """Opens another page of the app with these query parameters."""
    st.switch_page(st.session_state["_pages"][name], query_params=_sayable(parameters))


def link(name: str, label: str, *, key_help: str | None = None, **parameters: str) -> None:
    """A link within the app that keeps the session; `label` is Markdown, so escape untrusted text."""
    st.page_link(st.session_state["_pages"][name], label=label, help=key_help, query_params=_sayable(parameters))
