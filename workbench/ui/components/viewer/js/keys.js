// Every key in one table: what it does, and what the `?` sheet says of it.

const onlyBetween = (view, list, by) => {
  if (!list.length) return undefined;
  const here = view.current ?? -1;
  return by > 0 ? (list.find((i) => i > here) ?? list[0]) : (list.findLast((i) => i < here) ?? list.at(-1));
};

const nextCitation = (view, list, by) => {
  if (!list.length) { tell(view, "There is none in this report."); return; }
  const here = view.citation ?? -1;
  const after = by > 0 ? (list.find((c) => c.c > here) || list[0]) : (list.findLast((c) => c.c < here) || list.at(-1));
  view.setMode("report");
  view.cite(after.c);
  view.marks.find((mark) => Number(mark.dataset.c) === after.c)?.scrollIntoView({ block: "center" });
};

// The next step that calls a tool which the present one calls; on a result, the tool that gave it.
function nextCall(view, by) {
  const { tool } = view.columns;
  let here = view.current ?? 0;
  while (here > 0 && tool[here] < 0) here--;
  const wanted = tool[here];
  for (let i = (view.current ?? -1) + by; i >= 0 && i < view.n; i += by)
    if (tool[i] >= 0 && (wanted < 0 || tool[i] === wanted)) { view.select(i); return; }
  tell(view, wanted < 0 ? "No tool was called." : `No ${by > 0 ? "later" : "earlier"} call of ${view.columns.tools[wanted]}.`);
}

function nextOf(view, list, by, what) {
  const found = onlyBetween(view, list, by);
  if (found === undefined) tell(view, `There is no ${what} in this trajectory.`);
  else view.select(found);
}

function nextUncited(view) {
  if (!view.uncited.length) { tell(view, "Every claim with a figure or a name has a citation."); return; }
  view.setMode("report");
  view.uncitedAt = ((view.uncitedAt ?? -1) + 1) % view.uncited.length;
  const mark = view.uncited[view.uncitedAt];
  mark.scrollIntoView({ block: "center" });
  mark.classList.remove("flash");
  requestAnimationFrame(() => mark.classList.add("flash"));
}

const KEYS = [
  ["j", "next step", (view) => view.move(1)],
  ["k", "previous step", (view) => view.move(-1)],
  ["o", "open the step: everything in it", (view) => view.current !== null && view.open(view.current)],
  ["n", "next call of the same tool", (view) => nextCall(view, 1)],
  ["N", "previous call of the same tool", (view) => nextCall(view, -1)],
  ["e", "next failed call", (view) => nextOf(view, [...view.failed], 1, "failed call")],
  ["b", "next step with a note", (view) => nextOf(view, [...view.notesAt.keys()].sort((a, c) => a - c), 1, "note on a step")],
  ["g", "go to a step by its number", (view) => { view.stepBox.focus(); view.stepBox.select(); }],
  ["/", "find words in the steps; Enter again for the next place", (view) => { view.findBox.focus(); view.findBox.select(); }],
  ["w", "reader mode: only the agent's words and calls", (view) => view.setMode(view.mode === "words" ? "report" : "words")],
  ["s", "all steps in one column", (view) => view.setMode(view.mode === "steps" ? "report" : "steps")],
  ["q", "queries and sites", (view) => view.setMode(view.mode === "research" ? "report" : "research")],
  ["c", "next citation", (view) => nextCitation(view, view.data.citations, 1)],
  ["C", "previous citation", (view) => nextCitation(view, view.data.citations, -1)],
  ["f", "next faulty citation", (view) => nextCitation(view, view.data.citations.filter((c) => c.fault), 1)],
  ["u", "next claim without a citation", (view) => nextUncited(view)],
  ["m", "a note on this step", async (view) => { if (view.current === null) return; if (view.shownStep !== view.current || !view.noteText?.isConnected) await view.open(view.current); view.noteText?.focus(); }],
  ["J", "next trajectory of the filter", (view) => view.component.setTriggerValue("go", 1)],
  ["K", "previous trajectory of the filter", (view) => view.component.setTriggerValue("go", -1)],
  ["?", "this sheet", (view) => view.sheet.classList.toggle("on")],
  ["Escape", "close", (view) => view.sheet.classList.contains("on") ? view.sheet.classList.remove("on") : view.closeDetail()],
];
const STEP_KEYS = new Set("jkonNebg/wsqm");

function keys(view, event) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return;
  const found = KEYS.find(([key]) => key === event.key);
  if (!found || (STEP_KEYS.has(event.key) && (!view.columns || !view.n))) return;
  if (event.key !== "Escape") event.preventDefault();
  event.stopPropagation();
  found[2](view);
}

function keySheet(view) {
  return el("div", { class: "sheet", role: "dialog", "aria-label": "keys", onclick: () => view.sheet.classList.remove("on") },
    el("div", {}, el("h3", { text: "Keys" }), ...KEYS.map(([key, words]) => el("section", {}, el("kbd", { text: key === "Escape" ? "Esc" : key }), ` ${words}`))));
}
