// What the parts share: where one is, which mode, and the address that says so.

const MODES = { report: "Report", words: "Reader", steps: "All steps", research: "Queries and sites" };

function makeView(component) {
  const { data } = component;
  const view = { data, component, key: data.key, n: data.n, columns: null, failed: new Set(), notesAt: new Map(), current: null, mode: null };
  view.at = (i) => {
    view.current = i;
    view.outline.mark(i);
    view.cursorAt?.(i);
  };
  // Scrolling moved the place: the step is in the address, and known to the notes below, once one rests.
  view.moved = (i) => {
    if (i === view.current) return;
    view.at(i);
    keep(view, i);
  };
  view.select = (i) => {
    if (!(i >= 0 && i < view.n) || !view.columns) return;
    view.at(i);
    keep(view, i);
    if (view.mode === "words" || view.mode === "steps") { view.body.go(i); if (view.grid.classList.contains("opened")) showStep(view, i); }
    else showStep(view, i);
  };
  view.move = (by) => {
    const reading = view.mode === "words" || view.mode === "steps";
    view.select(reading ? view.body.next(view.current ?? -1, by) : clamp((view.current ?? -1) + by, 0, view.n - 1));
  };
  view.open = (i, marked) => { view.at(i); keep(view, i); return showStep(view, i, marked); };
  view.openResult = (i) => {
    let found = i;
    while (found + 1 < view.n && view.columns.results[found] === 0 && view.columns.glyph[found + 1] === "t") found++;
    return view.open(found);
  };
  view.cite = (ordinal) => showCitation(view, ordinal);
  view.closeDetail = () => { view.grid.classList.remove("opened"); address(view, { cite: null }); };
  view.find = async (words) => {
    if (!words.trim()) return;
    tell(view, "Searching …");
    try {
      const again = view.findTurn === words;
      let found = await ask(view, "find", again ? { words, after: view.current ?? 0 } : { words });
      if (!found && again) found = await ask(view, "find", { words });
      view.findTurn = words;
      view.said.classList.remove("on");
      if (!found) { tell(view, `“${words.slice(0, 60)}” stands in no step.`); return; }
      await view.open(found.step, { place: found.place, nth: found.nth, start: found.start, end: found.end });
      if (view.mode === "words" || view.mode === "steps") view.body.go(found.step);
    } catch (error) { fail(view, error); }
  };
  view.setMode = (mode) => {
    if (view.mode === mode) return;
    view.mode = mode;
    view.grid.className = `grid m-${mode}`;
    for (const [name, tab] of Object.entries(view.tabs)) tab.setAttribute("aria-selected", String(name === mode));
    address(view, { view: mode === "report" ? null : mode });
    view.shownAt?.(null);
    if (mode === "report") view.middle.replaceChildren(view.reportNode);
    if (mode === "research") view.middle.replaceChildren(researchPanel(view));
    if (mode === "words" || mode === "steps") {
      view.middle.replaceChildren(view.body.node);
      if (view.columns) { view.body.build(mode); view.body.go(view.current ?? 0); }
    } else view.body.close();
  };
  return view;
}

// The page below is told the step only when one rests on it: each telling runs a part of the page again.
function keep(view, i) {
  address(view, { step: String(i) });
  clearTimeout(view.restTimer);
  view.restTimer = setTimeout(() => view.component.setStateValue("step", i), 1200);
}

function gather(view) {
  view.notesAt = new Map();
  for (const note of view.data.notes) view.notesAt.set(note.step, [...(view.notesAt.get(note.step) || []), note]);
}

async function loadColumns(view) {
  if (!view.n) return;
  const version = view.data.version;
  try {
    const columns = await ask(view, "columns");
    if (version !== view.data.version) return;
    view.columns = columns;
    view.failed = new Set(columns.errors);
    view.outline.reset();
    view.drawTimeline();
    if (view.mode === "words" || view.mode === "steps") { view.body.build(view.mode); view.body.go(view.current ?? 0); }
    if (view.current !== null) view.at(view.current);
    // The curve of breadth reads everything; a trajectory of ordinary size has it at once, a long one on wish.
    if (!view.data.long) loadResearch(view);
  } catch (error) { fail(view, error); }
}

function build(view, parent) {
  const { data } = view, asked = new URLSearchParams(location.search);
  gather(view);
  view.said = el("div", { class: "toast", role: "status" });
  view.sheet = keySheet(view);
  view.middle = el("div", { class: "middle" });
  view.tabs = {};
  const tabs = el("div", { class: "tabs", role: "tablist" });
  for (const [mode, title] of Object.entries(MODES)) {
    if (mode !== "report" && !view.n) continue;
    tabs.append((view.tabs[mode] = el("button", { role: "tab", text: title, onclick: () => view.setMode(mode) })));
  }
  view.body = column(view);
  const outlined = outlineCard(view);
  view.reportNode = reportCard(view);
  const hint = (key, words) => [el("kbd", { text: key }), ` ${words}  `];
  const middle = el("div", { class: "card main" }, el("h3", { class: "head" }, tabs), view.middle,
    el("div", { class: "foot" }, ...hint("c", "citation"), ...hint("f", "fault"), ...(view.n ? [...hint("j", "step"), ...hint("n", "same tool"), ...hint("w", "reader")] : []), ...hint("?", "all keys")));
  view.grid = el("div", { class: "grid m-report" }, outlined, middle, evidenceCard(view));
  view.frame = el("div", { class: "wb", tabindex: "-1" }, view.n ? timeline(view) : null, view.grid, view.said, view.sheet);
  parent.append(view.frame);
  const step = /^\d+$/.test(asked.get("step") || "") ? Number(asked.get("step")) : null;
  if (step !== null && step < view.n) view.current = step;
  view.setMode(view.n && asked.get("view") in MODES ? asked.get("view") : "report");
  loadColumns(view);
  const cited = asked.get("cite");
  if (cited && /^\d+$/.test(cited) && view.mode === "report") {
    view.cite(Number(cited));
    view.marks.find((mark) => mark.dataset.c === cited)?.scrollIntoView({ block: "center" });
  } else if (view.current !== null && view.mode !== "words" && view.mode !== "steps") showStep(view, view.current);
}

// What the page asks of the viewer: a step to go to, words to find. Each asking has a number, so that it is done once.
function obey(view) {
  const { go } = view.data;
  if (!go || go.turn === view.turn) return;
  view.turn = go.turn;
  view.frame.scrollIntoView({ block: "nearest" });
  if (go.step !== undefined) view.select(go.step);
  else if (go.words) {
    view.setMode("report");
    if (!flashInReport(view, go.words)) view.find(go.words);
  }
}

export default function (component) {
  const { data, parentElement } = component;
  let view = parentElement.workbench;
  if (!view || view.key !== data.key) {
    view?.frame.remove();
    view = makeView(component);
    parentElement.workbench = view;
    build(view, parentElement);
    view.listener = (event) => keys(view, event);
  } else {
    const before = view.data;
    view.component = component;
    view.data = data;
    if (before.version !== data.version) loadColumns(view).then(() => view.shownStep !== undefined && showStep(view, view.shownStep));
    if (JSON.stringify(before.notes) !== JSON.stringify(data.notes)) {
      gather(view);
      view.outline.remark();
      view.drawTimeline?.();
      if (view.shownStep !== undefined && view.grid.classList.contains("opened") && view.citation === undefined) showStep(view, view.shownStep);
      view.body.remark();
    }
  }
  obey(view);
  document.addEventListener("keydown", view.listener);
  return () => {
    document.removeEventListener("keydown", view.listener);
  };
}
