"""A page of the app run without a browser."""

from streamlit.testing.v1 import AppTest


def run_page(name: str, **parameters: str) -> AppTest:
    """The page run once at this address; nothing may have been raised."""
    # Streamlit runs this text as a script of its own.
    app = AppTest.from_string(
        f"""
import streamlit as st
from workbench.ui import routes
from workbench.ui.views.{name} import page
st.navigation(list(routes.pages().values()))
page()
""",
        default_timeout=60,
    )
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, [found.value for found in app.exception]
    return app


def visible(app: AppTest) -> str:
    """All text of the page: Markdown, HTML, captions, warnings and labels."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "warning", "error")
    shown = [getattr(element, "value", "") for kind in kinds for element in app.get(kind)]
    html = [element.proto.body for element in app.get("html")]
    buttons = [button.label for button in app.button]
    return "\n".join(map(str, [*shown, *html, *buttons]))
