"""Keeps a reward under its version, exports it to a training job, and hands the folder out."""

import io
import zipfile
from dataclasses import replace
from os.path import isdir
from pathlib import Path
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.reward.core.spec import parse_spec, spec_label, spec_to_json, spec_version
from workbench.reward.resolve import save
from workbench.schema.reward import RewardSpec
from workbench.ui.components.text import plain
from workbench.ui.session import rerun_at, sayable, store
from workbench.ui.start import start_job

EXPORTS: Final = Path("exports")


def save_and_export(saved: RewardSpec, spec: RewardSpec) -> None:
    """Saving under a name, exporting what is saved, and the folders that were exported."""
    st.header("Save and export")
    left, middle, right = st.columns([2, 2, 3], vertical_alignment="bottom")
    name = left.text_input("Name", value=saved.name, key=f"name-{spec_version(saved)}").strip()
    versions = {row.version for row in store().rewards.specs()}
    targets = [row.version for row in store().rewards.targets_list()]
    named = replace(spec, name=name or saved.name, targets=spec.targets or (f"targets@{targets[0]}" if targets else ""))
    is_saved = spec_version(named) in versions
    label = f"Saved as {spec_label(named)}" if is_saved else f"Save as {spec_label(named)}"
    if middle.button(label, disabled=is_saved, type="primary"):
        try:
            parse_spec(spec_to_json(named))
            save(store(), named)
            rerun_at({"spec": spec_version(named)})
        except (WorkbenchError, ValueError) as error:
            st.error(plain(str(error)))
    with right.popover("Export to a TRL job", disabled=not is_saved):
        st.markdown("The folder runs where no workbench is installed. Export is refused while a gate is open.")
        reason = st.text_input("Export all the same, because", key="force-reason").strip()
        if st.button("Export", type="primary", key="export-now"):
            folder = EXPORTS / f"{named.name}-{spec_version(named)[:8]}"
            number = 2
            while folder.exists():
                folder, number = EXPORTS / f"{named.name}-{spec_version(named)[:8]}-{number}", number + 1
            forced = ["--force", reason] if reason else []
            job = start_job(["export", "--spec", spec_version(named), "--to", "trl", str(folder), *forced])
            if job:
                st.session_state["export_job"] = job.id
    _exports()


@st.fragment(run_every=3)
def _exports() -> None:
    _last_export()
    for number, export in enumerate(store().rewards.exports()):
        folder = Path(export.folder)
        gates = export.manifest.get("gates", {})
        shown = ", ".join(
            f"{gate} {state.get('state', state) if isinstance(state, dict) else state}" for gate, state in gates.items()
        )
        what, button = st.columns([5, 2], vertical_alignment="center")
        said = f"{export.trainer} · spec {export.spec_version[:8]} · {shown}"
        what.markdown(f"**{plain(folder.name)}** :gray[{plain(said)}]")
        if isdir(folder):  # noqa: PTH112  (Path raises for a name that is too long)
            button.download_button(
                "Download",
                _archive(folder),
                file_name=f"{sayable(folder.name)}.zip",
                mime="application/zip",
                key=f"dl-{number}",
            )
        else:
            button.markdown(":gray[folder is gone]")


def _last_export() -> None:
    """What became of the export started here: a refusal is said where it was asked for."""
    identifier = st.session_state.get("export_job")
    if not identifier:
        return
    job = store().jobs.get(identifier)
    if job.state == "failed":
        st.error(plain(job.error or "the export failed; its log is on the Jobs page"))
    elif job.state != "done":
        st.markdown(":gray[Exporting…]")


def _archive(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, Path(folder.name) / path.relative_to(folder))
    return buffer.getvalue()
