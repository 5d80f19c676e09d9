"""One grade: its verdicts, and the exact prompt and reply that each rests on."""

from collections.abc import Sequence

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.grade import Grade
from workbench.ui import data, routes
from workbench.ui.components import figures
from workbench.ui.components.grades import citations
from workbench.ui.components.grades.material import material_words
from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible, visible_json
from workbench.ui.session import parameter, rerun_at, store, whole_number


def page() -> None:
    try:
        identifier = store().trajectories.resolve(parameter("id"))
        row = store().trajectories.row(identifier)
    except WorkbenchError as error:
        st.title("Grade")
        figures.nothing_here(str(error), remedy="Open one from the Graders page.")
        return
    name, _, version = parameter("grader").partition("@")
    grades = [
        grade
        for grade in store().grades.for_trajectory(identifier)
        if grade.grader == name and grade.grader_version.startswith(version)
    ]
    back, there = st.columns(2)
    with back:
        routes.link("graders", f"← {plain(name)}", grader=parameter("grader"))
    with there:
        routes.link("trajectory", "the trajectory →", id=identifier, grader=name)
    st.title(plain(short(row.question, 200)), anchor=False)
    figures.simulated_mark(data.any_simulated([row.run]))
    if not grades:
        figures.nothing_here(
            f"{name} has not graded this trajectory.", remedy="Choose another grade on the Graders page."
        )
        return
    _grade(identifier, _chosen(grades), row.run)


def _chosen(grades: Sequence[Grade]) -> Grade:
    """The grade of the repeat that the address names; of several runs one is chosen."""
    asked = whole_number("repeat", 0)
    index = next((place for place, grade in enumerate(grades) if grade.repeat == asked), 0)
    if len(grades) > 1:
        words = [
            f"run {grade.repeat}: " + (f"{grade.score:.2f}" if grade.score is not None else grade.outcome)
            for grade in grades
        ]
        picked = st.segmented_control("Runs of this grader on this report", words, default=words[index], key="repeat")
        if picked is not None and words.index(picked) != index:
            rerun_at({"repeat": str(grades[words.index(picked)].repeat)})
    return grades[index]


def _grade(identifier: str, grade: Grade, run: str) -> None:
    detail = grade.detail
    low, high = detail.get("low"), detail.get("high")
    bounds = f"could lie in [{low:.2f}, {high:.2f}]" if isinstance(low, float) and isinstance(high, float) else ""
    cost = "unknown" if grade.usage.cost_usd is None else f"${grade.usage.cost_usd:.5f}"
    figures.strip(
        [
            figures.Figure(
                f"{grade.score:.3f}" if grade.score is not None else grade.outcome.replace("_", " "),
                "score",
                bounds if low != high else "",
            ),
            figures.Figure("none" if grade.raw is None else f"{grade.raw:.3f}", "raw", short(grade.scheme, 60)),
            figures.Figure(run, "run", f"repeat {grade.repeat}"),
            figures.Figure(
                f"{grade.usage.input_tokens:,} / {grade.usage.output_tokens:,}", "tokens in / out", f"cost {cost}"
            ),
        ]
    )
    if grade.reason:
        figures.verdict(short(grade.reason, 600), tone="plain" if grade.outcome == "scored" else "warn")
    _verdicts(grade)
    citations.of_grade(identifier, grade)
    _exchanges(identifier, grade)
    if detail:
        with st.expander("Detail"):
            st.json(visible_json(detail), expanded=False)


def _verdicts(grade: Grade) -> None:
    if not grade.verdicts:
        return
    st.subheader("Verdicts")
    definition = store().grades.definition(grade.grader_version) or {}
    rubric = definition.get("rubric")
    criteria = rubric.get("criteria", []) if isinstance(rubric, dict) else []
    texts = {c["id"]: c for c in criteria if isinstance(c, dict)} if isinstance(criteria, list) else {}
    absent = grade.detail.get("quotes_not_found")
    for verdict in grade.verdicts:
        value = "no verdict" if verdict.value is None else f"{verdict.value:g}"
        said = texts.get(verdict.criterion_id, {})
        fault = " :red[fault]" if said.get("polarity") == "negative" else ""
        with st.container(border=True):
            st.markdown(f"**{plain(verdict.criterion_id)}**{fault} {plain(verdict.label or '')} ({value})")
            if said.get("text"):
                st.markdown(f":gray[{plain(str(said['text']))}]")
            if verdict.reason:
                st.markdown(plain(verdict.reason))
            if verdict.quote:
                st.markdown(f"> {plain(verdict.quote)}")
                if isinstance(absent, list) and verdict.criterion_id in absent:
                    st.markdown(":red[This quote stands nowhere in what the judge was given.]")


def _exchanges(identifier: str, grade: Grade) -> None:
    """The wire itself. Text of a model and of a report is shown as code: nothing in it takes effect."""
    st.subheader("Prompt and reply")
    if given := material_words(grade.detail):
        st.caption(plain(given))
    from graders.exchanges import exchanges_of

    try:
        exchanges = exchanges_of(store(), identifier, grade)
    except WorkbenchError as error:
        st.markdown(f":gray[{plain(str(error))}]")
        return
    for number, exchange in enumerate(exchanges, start=1):
        asked = ", ".join(exchange.criteria)
        label = f"Call {number} of {len(exchanges)}: {plain(short(asked, 120))}"
        with st.expander(label, expanded=len(exchanges) == 1):
            st.caption(f"{plain(exchange.model)} · seed {exchange.seed} · stopped: {plain(exchange.finish)}")
            left, right = st.columns(2)
            with left:
                for message in exchange.messages:
                    st.markdown(f":gray[{plain(message['role'])}]")
                    st.code(visible(message["content"]), language=None, wrap_lines=True, height=460)
            with right:
                st.markdown(":gray[reply]")
                st.code(visible(exchange.reply) or "(empty)", language=None, wrap_lines=True, height=460)
                for draw in exchange.draws:
                    st.markdown(":gray[an earlier reply that could not be read]")
                    st.code(visible(draw) or "(empty)", language=None, wrap_lines=True)
