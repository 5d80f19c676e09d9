"""A candidate becomes a rubric draft or a reward draft, and what came of the drafts of a round."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.human.missed import Candidate
from workbench.human.missed.drafts import Draft, draft_rubric, rubric_of
from workbench.reward.core.spec import parse_spec, spec_label, spec_to_json
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.lineage import lineage_of
from workbench.reward.resolve import find_spec, save
from workbench.reward.take_over import can_be_term, with_candidate
from workbench.schema.ballot import Round
from workbench.stats.estimate import Estimate
from workbench.ui import routes
from workbench.ui.components.text import plain
from workbench.ui.session import sayable, store

DRAFTS: Final = Path("drafts")


def buttons(round_: Round, grader: str, one: Candidate) -> None:
    left, right = st.columns(2)
    if left.button("Take over as a criterion", key=f"criterion-{one.name!a}", width="stretch"):
        _as_criterion(round_, grader, one)
    prefers_more = isinstance(one.effect, Estimate) and one.effect.value > 0
    if can_be_term(one.name, more=prefers_more) and right.button(
        "Take over as a reward term", key=f"term-{one.name!a}", width="stretch"
    ):
        _as_term(round_, grader, one, more=prefers_more)


def _as_criterion(round_: Round, grader: str, one: Candidate) -> None:
    try:
        draft = draft_rubric(store(), round_, grader, one, rubric_of(store(), grader))
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    path = _written(draft)
    st.success(f"Rubric draft {plain(path.as_posix())}: `workbench grade --grader {path.as_posix()} --run RUN`")
    st.download_button("Download it", draft.text(), file_name=sayable(path.name), key=f"draft-{one.name!a}")


def _written(draft: Draft) -> Path:
    """A file of its own for every draft: one that was worked on is not written over."""
    DRAFTS.mkdir(exist_ok=True)
    path = DRAFTS / f"{draft.rubric.name}-{draft.rubric.version[:8]}.yaml"
    if not path.exists():
        path.write_text(draft.text(), encoding="utf-8")
    return path


def _as_term(round_: Round, grader: str, one: Candidate, *, more: bool) -> None:
    try:
        saved = store().rewards.specs()
        base = find_spec(store(), saved[0].version) if saved else read_spec_file(library_specs()["search-rl"])
        spec = with_candidate(replace(base, quality_grader=grader), one.name, more=more)
        spec = parse_spec(spec_to_json(spec), source=spec.name)
        save(store(), spec, round_id=round_.id)
    except (WorkbenchError, ValueError) as error:
        st.error(plain(str(error)))
        return
    st.success(f"Reward draft {plain(spec_label(spec))} saved, with this round as its origin.")


def lineage(round_: Round) -> None:
    """Round -> criteria -> reward -> runs, as far as it goes."""
    found = lineage_of(store(), round_id=round_.id)
    if not found.criteria and not found.specs:
        return
    st.subheader("What came of this round")
    for origin in found.criteria:
        names = ", ".join(origin.criteria)
        st.markdown(f"criteria **{plain(names)}** in rubric of grader {plain(origin.grader)}")
    for spec in found.specs:
        label, link = st.columns([6, 2], vertical_alignment="center")
        runs = ", ".join(spec.runs) or "no run trained on it yet"
        label.markdown(f"reward **{plain(spec.name)}@{spec.version[:8]}** :gray[{plain(runs)}]")
        with link:
            routes.link("reward", "open the reward", spec=spec.version)
