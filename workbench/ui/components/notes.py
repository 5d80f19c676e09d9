"""Notes and tags of the people who read: written beside the trajectory, taken back there, links to their places."""

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.note import NOTE_KINDS, Note, NoteKind
from workbench.ui.components.text import plain
from workbench.ui.session import store

COLOURS: Final[dict[NoteKind, str]] = {
    "mistake": "red",
    "insight": "green",
    "near_miss": "orange",
    "hack": "violet",
    "note": "gray",
    "tag": "blue",
}


def word(kind: str) -> str:
    """`near_miss` -> `near miss`; `tag:x` -> `tagged x`."""
    name, _, tag = kind.partition(":")
    return f"tagged {tag}" if tag else name.replace("_", " ")


GO: Final = "viewer-go"
BY: Final = "note-by"


def lead_to(**where: str | int) -> None:
    """Has the viewer go to a `step`, or to `words` wherever they stand, when the page runs next."""
    turn = st.session_state.get("viewer-turn", 0) + 1
    st.session_state["viewer-turn"] = turn
    st.session_state[GO] = {"turn": turn, **where}


def notes(trajectory_id: str, step: int | None) -> None:
    """The notes of a trajectory and the form for one more; `step` is the step that is open, None without one."""
    st.subheader("Notes")
    shown, write = st.columns(2, gap="large")
    found = store().notes.of_trajectory(trajectory_id)
    with shown:
        if not found:
            st.markdown(":gray[None yet. A note of a kind becomes a filter of the Trajectories page.]")
        for note in found:
            _shown(note)
    # A new form after each note, so that the words of the last are not in the way of the next.
    with write.form(f"note-{trajectory_id}-{len(found)}", border=False):
        places = ["the whole trajectory"] if step is None else [f"step {step}", "the whole trajectory"]
        left, middle, right = st.columns([2, 2, 2])
        kind = left.selectbox("Kind", NOTE_KINDS, format_func=word)
        place = middle.selectbox("On", places)
        right.text_input("By", key=BY, placeholder="a name or initials")
        text = st.text_area("What you saw", height=80, placeholder="In a tag, the tag alone")
        if st.form_submit_button("Add"):
            add_note(trajectory_id, kind, text, step=step if place.startswith("step") else None)


def _shown(note: Note) -> None:
    text, there, back = st.columns([10, 2, 1], vertical_alignment="center")
    said = f":{COLOURS[note.kind]}-badge[{word(note.kind)}] {plain(note.text)}"
    where = "" if note.position is not None else f"{note.place()} · "
    text.markdown(f"{said} :gray[{plain(where + note.by)} · {note.at:%Y-%m-%d %H:%M}]")
    if note.position is not None:
        words = f"step {note.position} →"
        there.button(words, key=f"go-{note.id}", type="tertiary", on_click=lead_to, kwargs={"step": note.position})
    if back.button("✕", key=f"back-{note.id}", help="Take this note back", type="tertiary"):
        try:
            store().notes.remove(note.id)
        except WorkbenchError as error:  # taken back in another window meanwhile
            st.toast(plain(str(error)))
        st.rerun()


def add_note(trajectory_id: str, kind: NoteKind, text: str, *, step: int | None) -> None:
    """Keeps a note of whoever last gave a name, and runs the page again; says why where it is refused."""
    by = str(st.session_state.get(BY, "")).strip() or "app"
    try:
        note = Note(
            trajectory_id,
            kind,
            text.strip(),
            by,
            datetime.now(UTC),
            anchor="trajectory" if step is None else "step",
            position=step,
        )
        store().notes.add(note)
    except (ValueError, WorkbenchError) as error:
        st.error(plain(f"Not added: {error}"))
        return
    st.rerun()
