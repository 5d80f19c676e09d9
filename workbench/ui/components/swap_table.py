"""Research of one run written up by the writer of another, and how the gap between two runs divides."""

import streamlit as st

from workbench.diagnosis.swap_report import SwapTable
from workbench.stats.estimate import Estimate, Measured
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.text import plain


def swap_panel(table: SwapTable) -> None:
    """The cells with their intervals, then the Shapley split of each pair of runs."""

    st.subheader("Whose research, whose writing")
    cells = {(cell.research, cell.writer): cell for cell in table.cells}
    rows = []
    for run in table.runs:
        row: dict[str, str] = {"research of": run}
        for writer in table.writers:
            cell = cells.get((run, writer))
            lost = f" ({cell.failed} failed)" if cell is not None and cell.failed else ""
            row[f"written by {writer}"] = "not asked" if cell is None else cell.mean.text() + lost
        rows.append(row)
    st.dataframe(readable(framed(rows)), hide_index=True)
    splits = [
        {
            "from": f"{split.research_a} / {split.writer_a}",
            "to": f"{split.research_b} / {split.writer_b}",
            "gap": split.gap.text(),
            "due to research": split.phi_research.text(),
            "due to writing": split.phi_writing.text(),
            "interaction": split.interaction.text(),
            "judge noise, sd": "not measured" if split.noise_sd is None else f"{split.noise_sd:.4f}",
        }
        for split in table.splits
    ]
    if splits:
        st.dataframe(readable(framed(splits)), hide_index=True)
        st.caption("Shapley value over the four cells: the two parts add up to the gap. Intervals by question.")
    for loss in table.harness:
        st.caption(plain(f"Own reports of {loss.run} minus the rewriting by {loss.writer}: {_signed(loss.loss)}"))


def _signed(found: Measured) -> str:
    return f"{found.value:+.3f}" if isinstance(found, Estimate) else found.text()
