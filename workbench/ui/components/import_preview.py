"""What an import would recognise in files, as a table, before anything is written."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.text import plain


def show(sources: Sequence[str], wanted: Mapping[str, str | None]) -> None:
    from workbench.ingest.preview import LOOKED_AT, Recognised, preview

    try:
        with st.spinner("looking at the files"):
            found = preview(sources, **wanted)  # type: ignore[arg-type]
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    known = [file for file in found if not file.reason]
    st.markdown(f"**{len(known)} of {len(found)} files** hold trajectories.")

    def row(file: Recognised) -> dict[str, object]:
        return {
            "file": PurePath(file.path).name,
            "read as": ", ".join(file.formats) or "no known format",
            "looked at": f"first {file.looked_at}" if file.more else f"all {file.looked_at}",
            "questions": len(file.questions),
            "steps": file.steps,
            "tool calls": file.tool_calls,
            "with report": file.with_report,
            "to set aside": len(file.problems),
            "first question": " ".join(file.questions[0].split())[:200] if file.questions else "",
        }

    if known:
        st.dataframe(readable(framed([row(file) for file in known])), hide_index=True)
        if any(file.more for file in known):
            st.caption(f"Of longer files, the first {LOOKED_AT} records were looked at.")
    for file in known:
        for problem in file.problems[:3]:
            st.warning(plain(f"{PurePath(file.path).name}: would be set aside: {problem}"[:400]))
    left = [file for file in found if file.reason]
    if left:
        with st.expander(f"{len(left)} files would be skipped"):
            for file in left[:200]:
                st.markdown(plain(f"{PurePath(file.path).name}: {file.reason}"[:300]))
            if len(left) > 200:
                st.caption(f"the first 200 of {len(left)}")
