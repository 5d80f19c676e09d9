"""Jobs and import: files in, work under way, logs, and the records that were set aside."""

import hashlib
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.job import JOB_ENDED, Job
from workbench.ui import routes
from workbench.ui.components import import_preview
from workbench.ui.components.quarantine import quarantine
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible, visible_json
from workbench.ui.session import parameter, rerun_at, store, store_url, whole_number
from workbench.ui.start import start_job

UPLOADS: Final = Path("uploads")
LOG_LINES: Final = 300
JOBS: Final = 25
STATE_COLOUR: Final = {
    "queued": "gray",
    "running": "blue",
    "paused": "orange",
    "stopping": "orange",
    "stopped": "gray",
    "done": "green",
    "failed": "red",
}


def page() -> None:
    st.title("Jobs")
    _import_form()
    chosen = parameter("job")
    if chosen:
        _job_detail(chosen)
    st.header("Work")
    _job_list()


def _import_form() -> None:
    with st.expander("Import trajectories", expanded=not store().runs.names()):
        uploaded = st.file_uploader("Files", accept_multiple_files=True, key="import-files")
        path = st.text_input("or a path on this machine: file, folder or glob", key="import-path")
        left, middle, right = st.columns(3)
        run = left.text_input("Run", placeholder="file name", key="import-run")
        model = middle.text_input("Model", placeholder="as the file says", key="import-model")
        forced = right.selectbox("Format", ["detect from content", *_format_names()], key="import-format")
        named = bool(uploaded or path.strip())
        do, look, _ = st.columns([1, 1, 4])
        go, peek = (
            do.button("Import", type="primary", disabled=not named, width="stretch"),
            look.button("Look first", disabled=not named, width="stretch", help="What would be recognised, unwritten"),
        )
        if not (go or peek):
            return
        sources = [str(kept) for kept in _keep([(item.name, item.getvalue()) for item in uploaded or []])]
        if path.strip():
            sources.append(path.strip() if "://" in path else str(Path(path.strip()).expanduser()))
        wanted = {
            "run": run.strip() or None,
            "model": model.strip() or None,
            "format": forced if forced != "detect from content" else None,
        }
        if peek:
            import_preview.show(sources, wanted)
        else:
            options = [part for name, value in wanted.items() if value for part in (f"--{name}", value)]
            job = start_job(["import", *sources, *options])
            if job:
                rerun_at({"job": job.id})


def _format_names() -> list[str]:
    from workbench.ingest.registry import FORMATS

    return [known.name for known in FORMATS]


def _keep(files: Sequence[tuple[str, bytes]]) -> list[Path]:
    """Writes uploads beside the store, in one folder under their hash: some traces are spread over several files.

    Only the last part of the name given by the browser is used.
    """
    if not files:
        return []
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(name.encode("utf-8", "replace") + b"\0" + hashlib.sha256(content).digest())
    folder = UPLOADS / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / (Path(name.replace("\\", "/")).name or "upload"), content) for name, content in files]


def _write(target: Path, content: bytes) -> Path:
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(content)
    partial.replace(target)
    return target.resolve()


def _job_list() -> None:
    total = store().jobs.count()
    if not total:
        st.markdown(":gray[No job yet. Imports, gradings, stress runs, exports and training appear here.]")
        return
    pages = math.ceil(total / JOBS)
    number = min(whole_number("page", 1) or 1, pages)
    _rows((number - 1) * JOBS)
    if pages > 1:
        st.caption(f"jobs {(number - 1) * JOBS + 1:,} to {min(number * JOBS, total):,} of {total:,}, the newest first")
        chosen = st.pagination(pages, default=number, key=f"jobs-pages-{number}")
        if chosen != number:
            rerun_at({"page": str(chosen)})


@st.fragment(run_every=2)
def _rows(start: int) -> None:
    for job in store().jobs.list(limit=start + JOBS)[start:]:
        _job_row(job)


def _job_row(job: Job) -> None:
    what, bar, buttons = st.columns([5, 4, 3], vertical_alignment="center")
    colour = STATE_COLOUR[job.state]
    what.markdown(f":{colour}[**{job.state}**]  {plain(' '.join(job.arguments)[:140])}")
    if job.total:
        bar.progress(min(job.done / job.total, 1.0), text=_progress_words(job))
    else:
        bar.markdown(f":gray[{_progress_words(job)}]")
    with buttons:
        cells = st.columns(3)
        if job.state == "running" and cells[0].button("Pause", key=f"pause-{job.id}"):
            _request(job, "pause")
        if job.state in ("paused", "stopped", "failed") and cells[0].button("Resume", key=f"resume-{job.id}"):
            _request(job, "resume")
        if job.state in ("queued", "running", "paused") and cells[1].button("Stop", key=f"stop-{job.id}"):
            _request(job, "stop")
        with cells[2]:
            routes.link("jobs", "Log", job=job.id)


def _request(job: Job, wish: str) -> None:
    try:
        if wish == "resume":
            store().jobs.resume(job.id, store_url())
        elif wish == "pause":
            store().jobs.request(job.id, "pause")
        else:
            store().jobs.request(job.id, "stop")
    except WorkbenchError as error:
        st.error(plain(str(error)))
    st.rerun(scope="fragment")


def _progress_words(job: Job) -> str:
    if job.kind == "import" and job.total:
        parts = [f"{job.done / 1e6:.1f} of {job.total / 1e6:.1f} MB read"]
    else:
        parts = [f"{job.done:,} of {job.total:,}" if job.total else f"{job.done:,} done"]
    if job.failed_items:
        parts.append(f"{job.failed_items:,} failed")
    if job.state == "running" and job.rate_per_s:
        parts.append(
            f"{job.rate_per_s / 1e6:.1f} MB a second" if job.kind == "import" else f"{job.rate_per_s:,.1f} a second"
        )
    if job.state == "running" and job.left_s is not None:
        parts.append(f"about {_duration(job.left_s)} left")
    if job.cost_usd is not None:
        parts.append(f"{job.cost_usd:.4f} USD")
    if job.state in JOB_ENDED and job.started_at and job.ended_at:
        parts.append(f"took {_duration((job.ended_at - job.started_at).total_seconds())}")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _job_detail(identifier: str) -> None:
    try:
        job = store().jobs.get(identifier)
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    st.header(f"Job {job.id}")
    if job.state in JOB_ENDED:
        _state_and_log(job)
        quarantine(str(job.result.get("quarantine_path") or ""))
    else:
        _watched(identifier)


@st.fragment(run_every=2)
def _watched(identifier: str) -> None:
    """Looks again while the job works; once it has ended the page is drawn for good."""
    job = store().jobs.get(identifier)
    _state_and_log(job)
    if job.state in JOB_ENDED:
        st.rerun()


def _state_and_log(job: Job) -> None:
    age = f", started {_duration((datetime.now(UTC) - job.started_at).total_seconds())} ago" if job.started_at else ""
    st.markdown(f":{STATE_COLOUR[job.state]}[**{job.state}**] {plain(' '.join(job.arguments))} :gray[{plain(age)}]")
    if job.error:
        st.error(plain(job.error))
    lines = store().jobs.log(job.id)
    shown = lines[-LOG_LINES:]
    log = "\n".join(f"{line.at:%H:%M:%S} {line.text}" for line in shown)
    st.code(visible(log) or "no log yet", language=None, wrap_lines=True)
    if len(lines) > len(shown):
        whole = "\n".join(f"{line.at.isoformat()} {line.text}" for line in lines).encode("utf-8", "surrogatepass")
        left, right = st.columns([4, 1], vertical_alignment="center")
        left.caption(f"the last {len(shown):,} of {len(lines):,} lines")
        right.download_button("Whole log", whole, f"{job.id}.log", "text/plain", on_click="ignore", width="stretch")
    if job.result:
        with st.expander("What it gave"):
            st.json(visible_json(job.result), expanded=1)
