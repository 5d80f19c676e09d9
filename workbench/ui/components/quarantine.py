"""The records that an import set aside, one at a time: why, where they stood, and the record itself."""

import json
from collections import Counter
from collections.abc import Iterator
from os.path import isfile
from pathlib import Path
from typing import Any, Final

import streamlit as st

from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, rerun_at, whole_number

# Beyond this a browser stops answering; the whole record is a download.
MOST_SHOWN: Final = 200_000
ALL: Final = ""


def quarantine(path: str) -> None:
    """Nothing where no record was set aside. Which one is shown, and of which reason, stands in the address."""
    if not isfile(path):  # noqa: PTH113  (Path raises for a name that is too long)
        return
    reasons = Counter(str(record.get("reason", "")) for record in _records(path))
    total = sum(reasons.values())
    if not total:
        return
    st.subheader(f"Set aside: {total:,} {'record' if total == 1 else 'records'}")
    asked = parameter("reason")
    # A reason quotes what was found, so most are said of one record: those of several come first.
    options = [ALL, *(reason for reason, _ in reasons.most_common(200))]
    chosen = st.selectbox(
        "Reason",
        options,
        index=options.index(asked) if asked in options else 0,
        format_func=lambda reason: (
            f"{short(visible(reason), 160)} ({reasons[reason]:,})" if reason else f"any ({total:,})"
        ),
    )
    if chosen != asked and not (chosen == ALL and asked not in options):
        rerun_at({"reason": chosen, "record": None})
    n = reasons[chosen] if chosen else total
    number = min(whole_number("record", 1) or 1, n)
    record = _numbered(path, number, chosen)
    left, middle, right = st.columns([6, 1, 1], vertical_alignment="center")
    left.markdown(f"**{number:,} of {n:,}** :gray[{plain(_place(record))}]")
    if middle.button("◀ before", disabled=number <= 1, width="stretch"):
        rerun_at({"record": str(number - 1)})
    if right.button("next ▶", disabled=number >= n, width="stretch"):
        rerun_at({"record": str(number + 1)})
    st.warning(plain(str(record.get("reason", ""))))
    _raw(record, Path(path))


def _records(path: str) -> Iterator[dict[str, Any]]:
    with Path(path).open("rb") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def _numbered(path: str, number: int, reason: str) -> dict[str, Any]:
    """The `number`-th record, from 1, of those with this reason; {} where a file that changed has fewer."""
    found = (record for record in _records(path) if not reason or record.get("reason") == reason)
    return next((record for place, record in enumerate(found, 1) if place == number), {})


def _place(record: dict[str, Any]) -> str:
    said = [str(record.get("source", ""))]
    said += [f"{name} {record[name]}" for name in ("line", "record") if record.get(name) is not None]
    if record.get("format"):
        said.append(f"read as {record['format']}")
    return ", ".join(said)


def _raw(record: dict[str, Any], path: Path) -> None:
    if name := record.get("raw_file"):
        st.markdown(f":gray[Too long for this page: it is kept whole in] {plain(str(path.with_name(Path(name).name)))}")
        return
    raw = record.get("raw")
    if raw is None:
        st.caption("The record is not UTF-8; this is its base64.")
        raw = record.get("raw_base64", "")
    if len(raw) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(raw):,} characters; the file has all of them.")
    st.code(visible(raw[:MOST_SHOWN]), language=None, wrap_lines=True, height=420)
    name = f"record-{record.get('record', 1)}.txt"
    data = raw.encode("utf-8", "surrogatepass")
    st.download_button("Download this record", data, name, "text/plain", on_click="ignore")
