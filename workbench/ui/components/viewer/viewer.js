// The trajectory viewer. Text of a trajectory is only ever set through textContent; the report's HTML was made
// server-side by a renderer that escapes everything (report_html.py).

const el = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter(Boolean));
  return node;
};
const SVG = "http://www.w3.org/2000/svg";
const svg = (tag, attributes) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};
const COLOUR = { plan: "#8b95a7", research: "#2a6f97", synthesis: "#b8651b" };
const size = (chars) => (chars < 1000 ? `${chars} ch` : `${(chars / 1000).toFixed(1)}k ch`);

function timeline(view) {
  const { steps } = view.data;
  const width = 1400, n = Math.max(steps.length, 1), x = (i) => 12 + ((width - 24) * (i + 0.5)) / n;
  const root = svg("svg", { viewBox: `0 0 ${width} 76`, preserveAspectRatio: "none", role: "img", "aria-label": "steps by phase" });
  let start = 0;
  for (let i = 1; i <= steps.length; i++) {
    if (i < steps.length && steps[i].phase === steps[start].phase) continue;
    const phase = steps[start].phase, left = x(start - 0.5) + 1, right = x(i - 0.5) - 1;
    root.append(svg("rect", { x: left, y: 22, width: Math.max(right - left, 2), height: 13, rx: 2, fill: COLOUR[phase], opacity: 0.4 }));
    if (right - left > 60) {
      const label = svg("text", { x: left + 2, y: 15, fill: COLOUR[phase] });
      label.textContent = right - left > 130 ? `${phase} · ${i - start} ${i - start === 1 ? "step" : "steps"}` : phase;
      root.append(label);
    }
    start = i;
  }
  steps.forEach((step, i) => {
    const cx = x(i), colour = step.errors ? "#b3261e" : COLOUR[step.phase];
    if (step.errors) root.append(svg("path", { d: `M${cx - 4} 47l8 8m0-8l-8 8`, stroke: colour, "stroke-width": 2, fill: "none" }));
    else if (step.glyph === "search") root.append(svg("circle", { cx, cy: 51, r: 4, fill: colour }));
    else if (step.glyph === "visit") root.append(svg("rect", { x: cx - 4, y: 47, width: 8, height: 8, fill: "none", stroke: colour, "stroke-width": 1.7 }));
    else if (step.role === "assistant") root.append(svg("path", { d: `M${cx} 46l5 9h-10z`, fill: colour }));
    else root.append(svg("path", { d: `M${cx} 48v6`, stroke: "#c4cad4", "stroke-width": 1.5 }));
    const hit = svg("rect", { x: x(i - 0.5), y: 0, width: (width - 24) / n, height: 76, fill: "transparent", class: "hit" });
    hit.onclick = () => view.select(i);
    const title = svg("title", {});
    title.textContent = `${step.n} · ${step.phase} · ${step.label}`;
    hit.append(title);
    root.append(hit);
  });
  view.cursor = svg("line", { y1: 18, y2: 72, stroke: "#1d2433", "stroke-dasharray": "2 2", visibility: "hidden" });
  view.cursorAt = (i) => { view.cursor.setAttribute("x1", x(i)); view.cursor.setAttribute("x2", x(i)); view.cursor.setAttribute("visibility", "visible"); };
  root.append(view.cursor);
  return el("div", { class: "timeline" }, root);
}

function outline(view) {
  const list = el("div", { class: "scroll" });
  view.rows = view.data.steps.map((step, i) => {
    const glyph = { search: "⌕ ", visit: "▢ ", call: "› ", tool: "↳ ", system: "system: ", user: "user: " }[step.glyph] || "";
    const note = step.errors ? `${step.errors} failed` : step.result_chars ? size(step.result_chars) : "";
    const by = step.by === "person" ? " ✎" : "";
    const row = el("button", { class: `step ${step.phase} ${step.errors ? "error" : ""}`, onclick: () => view.select(i) },
      el("i", { text: String(step.n) }), el("span", { text: glyph + step.label + by }), el("small", { text: note }));
    list.append(row);
    return row;
  });
  const foot = el("div", { class: "foot" });
  if (!view.data.steps.length) list.append(el("p", { class: "mute", text: "The report was imported alone: what its agent did is not known." }));
  else for (const [name, [done, target]] of Object.entries(view.data.breadth)) {
    foot.append(el("div", { text: target === null ? `${name} ${done} · no target for this question` : `${name} ${done} of target ${target}` }));
    const share = target === null ? 0 : target === 0 ? 1 : Math.min(done / target, 1);
    if (target !== null) foot.append(el("div", { class: "bar" }, el("div", { style: `width:${100 * share}%` })));
  }
  return el("div", { class: "card" }, el("h3", { text: `Outline · ${view.data.steps.length} steps` }), list, foot);
}

function report(view) {
  const body = el("div", { class: "report" });
  if (view.data.report) body.innerHTML = view.data.report;
  else body.append(el("p", { class: "mute", text: "This trajectory has no report." }));
  view.marks = [...body.querySelectorAll(".c")];
  view.marks.forEach((mark) => {
    mark.onclick = () => view.cite(Number(mark.dataset.c));
    mark.onkeydown = (event) => { if (event.key === "Enter") view.cite(Number(mark.dataset.c)); };
  });
  const legend = el("p", { class: "legend" });
  const counts = {};
  for (const c of view.data.citations) for (const name of [c.retrieval, c.support]) counts[name] = (counts[name] || 0) + 1;
  for (const [name, words] of [["opened", "opened"], ["seen", "seen, not opened"], ["not_retrieved", "not retrieved"], ["dangling", "dangling"], ["no_trace", "no trace to check"],
    ["supported", "supported"], ["partly", "partly supported"], ["contradicted", "contradicted"], ["unrelated", "unrelated"]])
    if (counts[name]) legend.append(el("span", {}, el("span", { class: `c ${name}`, style: "margin:0 4px 0 0;cursor:default", text: "[n]" }), `${counts[name]} ${words}`));
  if (view.data.uncited) legend.append(el("span", {}, el("span", { class: "u", style: "margin:0 4px 0 0", text: "claim" }), `${view.data.uncited} with figures or names, no citation`));
  return el("div", { class: "card" }, el("h3", { text: "Report" }), el("div", { class: "scroll" }, legend, body),
    el("div", { class: "foot" }, el("kbd", { text: "c" }), " next citation  ", el("kbd", { text: "f" }), " next fault  ", el("kbd", { text: "j" }), " ", el("kbd", { text: "k" }), " step  ", el("kbd", { text: "n" }), " next call of this tool  ", el("kbd", { text: "?" }), " keys"));
}

const WHY = {
  not_retrieved: "No tool result of this run holds this address: the report cites what the agent never saw.",
  dangling: "This number has no entry in the report's list of sources.",
  no_trace: "The report was imported without its trajectory, so it cannot be told whether the source was retrieved.",
  seen: "The address stood in a search result; the page itself was never opened.",
};

function showCitation(view, ordinal) {
  const c = view.data.citations.find((one) => one.c === ordinal);
  if (!c) return;
  view.marks.forEach((mark) => mark.classList.toggle("on", Number(mark.dataset.c) === ordinal));
  view.citation = ordinal;
  view.detailTitle.textContent = `Evidence for ${c.marker}`;
  view.detail.replaceChildren(el("div", { class: c.fault ? "ev bad" : "ev" },
    el("b", { text: `${c.retrieval_words} · ${c.support_words}` }), el("br"), el("small", { text: c.url || "no address" }),
    WHY[c.retrieval] ? el("div", { text: WHY[c.retrieval] }) : null));
  if (c.passage) {
    view.detail.append(el("div", { class: "ev" }, el("small", { text: `step ${c.step}: the passage that shares most with the sentence` }), el("br"),
      c.passage.before, el("mark", { class: "flash", text: c.passage.match }), c.passage.after));
    const index = view.data.steps.findIndex((step) => step.n === c.step);
    view.detail.append(el("button", { class: "step", onclick: () => view.select(index), text: `Open step ${c.step} →` }));
    view.mark(index);
  } else if (c.retrieval === "opened" || c.retrieval === "seen") {
    view.detail.append(el("div", { class: "ev", text: "Nothing in what was retrieved from this address shares words or figures with the sentence." }));
  }
}

function showStep(view, body) {
  const step = view.data.steps.find((one) => one.n === body.n);
  view.detailTitle.textContent = `Step ${body.n} · ${body.role}${body.agent ? ` · ${body.agent}` : ""}`;
  const phases = el("div", { class: "phases", style: "margin-bottom:8px" });
  for (const phase of ["plan", "research", "synthesis"])
    phases.append(el("button", { class: step && step.phase === phase ? "on" : "", text: phase, onclick: () => view.component.setTriggerValue("correct", { step: body.n, phase }) }));
  if (step) phases.append(el("span", { class: "mute", text: step.by === "person" ? "set by a person" : `by rule, confidence ${(step.confidence ?? 0).toFixed(2)}` }));
  const parts = [phases];
  if (body.reasoning) parts.push(el("div", { class: "ev" }, el("h4", { text: "reasoning" }), el("div", { class: "thought", text: body.reasoning })));
  if (body.text) parts.push(el("div", { class: "ev" }, el("h4", { text: "text" }), el("div", { text: body.text })));
  for (const call of body.calls) parts.push(el("div", { class: "ev" }, el("h4", { text: `calls ${call.name}` }), el("pre", { text: JSON.stringify(call.arguments, null, 1) })));
  for (const result of body.results) parts.push(el("div", { class: result.error ? "ev bad" : "ev" }, el("h4", { text: result.error ? "result: failed" : `result · ${size(result.text.length)}` }), el("div", { text: result.text })));
  if (parts.length === 1) parts.push(el("p", { class: "mute", text: "This step is empty." }));
  view.detail.replaceChildren(...parts);
  view.detail.scrollTop = 0;
}

function keys(view, event) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return;
  const move = (by) => view.select(Math.min(Math.max((view.selected ?? -1) + by, 0), view.data.steps.length - 1));
  const next = (list) => {
    if (!list.length) return;
    const after = list.find((c) => c.c > (view.citation ?? -1)) || list[0];
    view.cite(after.c);
    view.marks.find((mark) => Number(mark.dataset.c) === after.c)?.scrollIntoView({ block: "center" });
  };
  const actions = {
    j: () => move(1), k: () => move(-1),
    c: () => next(view.data.citations), f: () => next(view.data.citations.filter((c) => c.fault)),
    n: () => {
      const tools = view.data.steps[view.selected ?? 0]?.tools || [];
      const found = view.data.steps.findIndex((s, i) => i > (view.selected ?? -1) && s.tools.some((t) => !tools.length || tools.includes(t)));
      if (found >= 0) view.select(found);
    },
    "?": () => view.sheet.classList.toggle("on"), Escape: () => view.sheet.classList.remove("on"),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

export default function (component) {
  const { data, parentElement } = component;
  let view = parentElement.workbench;
  if (!view || view.key !== data.key) {
    parentElement.querySelector(".wb")?.remove();
    view = { data, key: data.key, component };
    view.mark = (i) => {
      if (i < 0) return;
      view.rows.forEach((row, at) => row.classList.toggle("on", at === i));
      view.rows[i]?.scrollIntoView({ block: "nearest" });
      view.cursorAt?.(i);
    };
    view.select = (i) => {
      const step = view.data.steps[i];
      if (!step) return;
      view.selected = i;
      view.mark(i);
      if (view.body && view.body.n === step.n) { showStep(view, view.body); return; }
      view.detailTitle.textContent = `Step ${step.n} · loading`;
      view.component.setStateValue("step", step.n);
    };
    view.cite = (ordinal) => showCitation(view, ordinal);
    view.detail = el("div", { class: "scroll" }, el("p", { class: "mute", text: "Choose a citation or a step: what it rests on appears here." }));
    view.detailTitle = el("h3", { text: "Evidence" });
    view.sheet = el("div", { class: "sheet", onclick: () => view.sheet.classList.remove("on") }, el("div", {},
      ...[["j / k", "next, previous step"], ["n", "next call of the same tool"], ["c", "next citation"], ["f", "next faulty citation"], ["?", "this sheet"]]
        .map(([key, words]) => el("section", {}, el("kbd", { text: key }), `  ${words}`))));
    parentElement.append(el("div", { class: "wb" }, data.steps.length ? timeline(view) : null,
      el("div", { class: "grid" }, outline(view), report(view), el("div", { class: "card" }, view.detailTitle, view.detail)), view.sheet));
    view.listener = (event) => keys(view, event);
    document.addEventListener("keydown", view.listener);
    parentElement.workbench = view;
  }
  view.component = component;
  view.body = data.body;
  if (data.body && JSON.stringify(data.body.n) !== view.shown) {
    view.shown = JSON.stringify(data.body.n);
    view.selected = view.data.steps.findIndex((step) => step.n === data.body.n);
    view.mark(view.selected);
    showStep(view, data.body);
  }
  return () => {
    document.removeEventListener("keydown", view.listener);
    parentElement.workbench = undefined;
  };
}
