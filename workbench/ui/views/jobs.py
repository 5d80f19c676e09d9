"""Jobs and import: files in, work under way, logs, and the records that were set aside."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from os.path import isfile
from pathlib import Path
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.job import JOB_ENDED, Job
from workbench.ui import routes
from workbench.ui.components import import_preview
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible, visible_json
from workbench.ui.session import parameter, rerun_at, store, store_url
from workbench.ui.start import start_job

UPLOADS: Final = Path("uploads")
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
    with st.expander("Import trajectories", expanded=not store().runs.list()):
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


@st.fragment(run_every=2)
def _job_list() -> None:
    jobs = store().jobs.list(limit=50)
    if not jobs:
        st.markdown(":gray[No job yet. Imports, gradings, stress runs, exports and training appear here.]")
        return
    for job in jobs:
        _job_row(job)
    total = store().jobs.count()
    if total > len(jobs):
        st.caption(f"the newest {len(jobs)} of {total}; all: `workbench jobs list`")


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


@st.fragment(run_every=2)
def _job_detail(identifier: str) -> None:
    try:
        job = store().jobs.get(identifier)
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    st.header(f"Job {job.id}")
    age = f", started {_duration((datetime.now(UTC) - job.started_at).total_seconds())} ago" if job.started_at else ""
    st.markdown(f":{STATE_COLOUR[job.state]}[**{job.state}**] {plain(' '.join(job.arguments))} :gray[{plain(age)}]")
    if job.error:
        st.error(plain(job.error))
    lines = store().jobs.log(job.id)
    shown = lines[-300:]
    if len(lines) > len(shown):
        st.caption(f"the last {len(shown)} of {len(lines)} lines")
    st.code(visible("\n".join(f"{line.at:%H:%M:%S} {line.text}" for line in shown)) or "no log yet", language=None)
    if job.result:
        st.json(visible_json(job.result), expanded=1)
    _quarantine(job)


def _quarantine(job: Job) -> None:
    path = str(job.result.get("quarantine_path") or "")
    if not isfile(path):  # noqa: PTH113  (Path raises for a name that is too long)
        return
    import orjson

    records = [orjson.loads(line) for line in Path(path).read_bytes().splitlines() if line.strip()]
    st.subheader(f"Set aside: {len(records)} records")
    limit = 20
    for record in records[:limit]:
        place = f"{record.get('source', '')}, record {record.get('record', '?')}"
        with st.expander(plain(f"{place}: {record.get('reason', '')}"[:240])):
            st.code(visible(str(record.get("raw", record))[:20_000]), language=None)
    if len(records) > limit:
        st.caption(f"the first {limit} of {len(records)}; all of them are in {plain(path)}")
