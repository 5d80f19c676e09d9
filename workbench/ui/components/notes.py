"""Notes and tags of the people who read: written beside the trajectory, taken back there, links to their places."""

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.note import NOTE_KINDS, Note, NoteKind
from workbench.ui.components.text import plain
from workbench.ui.session import rerun_at, store

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


def notes(trajectory_id: str, step: int | None) -> None:
    """The notes of a trajectory and the form for one more; `step` is the step that is open, None without one."""
    st.subheader("Notes")
    found = store().notes.of_trajectory(trajectory_id)
    if not found:
        st.markdown(":gray[None yet. A note of a kind becomes a filter of the Trajectories page.]")
    for note in found:
        _shown(note)
    # A new form after each note, so that the words of the last are not in the way of the next.
    with st.form(f"note-{trajectory_id}-{len(found)}", border=False):
        places = ["the whole trajectory"] if step is None else [f"step {step}", "the whole trajectory"]
        left, middle, right = st.columns([2, 2, 2])
        kind = left.selectbox("Kind", NOTE_KINDS, format_func=word)
        place = middle.selectbox("On", places)
        by = right.text_input("By", value=st.session_state.get("note-by", ""), placeholder="a name or initials")
        text = st.text_area("What you saw", height=80, placeholder="In a tag, the tag alone")
        if st.form_submit_button("Add"):
            st.session_state["note-by"] = by.strip()
            _add(trajectory_id, kind, text, by.strip() or "app", step if place.startswith("step") else None)


def _shown(note: Note) -> None:
    text, there, back = st.columns([10, 2, 1], vertical_alignment="center")
    said = f":{COLOURS[note.kind]}-badge[{word(note.kind)}] {plain(note.text)}"
    where = "" if note.position is not None else f"{note.place()} · "
    text.markdown(f"{said} :gray[{plain(where + note.by)} · {note.at:%Y-%m-%d %H:%M}]")
    if note.position is not None and there.button(f"step {note.position} →", key=f"go-{note.id}", type="tertiary"):
        rerun_at({"step": str(note.position)})
    if back.button("✕", key=f"back-{note.id}", help="Take this note back", type="tertiary"):
        try:
            store().notes.remove(note.id)
        except WorkbenchError as error:  # taken back in another window meanwhile
            st.toast(plain(str(error)))
        st.rerun()


def _add(trajectory_id: str, kind: NoteKind, text: str, by: str, step: int | None) -> None:
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
