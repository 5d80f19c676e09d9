// The third card: the passage that a citation rests on, or one step with everything in it.

const WHY = {
  not_retrieved: "No tool result of this run holds this address: the report cites what the agent never saw.",
  dangling: "This number has no entry in the report's list of sources.",
  no_trace: "The report was imported without its trajectory, so it cannot be told whether the source was retrieved.",
  seen: "The address stood in a search result; the page itself was never opened.",
};

function evidenceCard(view) {
  view.detail = el("div", { class: "scroll detail" }, el("p", { class: "mute", text: "Choose a citation or a step: what it rests on appears here." }));
  view.detailTitle = el("h3", { text: "Evidence" });
  const close = el("button", { class: "close", text: "✕", title: "close (Escape)", onclick: () => view.closeDetail() });
  return el("div", { class: "card evidence" }, el("div", { class: "head" }, view.detailTitle, close), view.detail);
}

async function showCitation(view, ordinal) {
  const c = view.data.citations.find((one) => one.c === ordinal);
  if (!c) return;
  const turn = (view.detailTurn = (view.detailTurn || 0) + 1);
  view.marks.forEach((mark) => mark.classList.toggle("on", Number(mark.dataset.c) === ordinal));
  view.citation = ordinal;
  view.grid.classList.add("opened");
  address(view, { cite: String(ordinal) });
  view.detailTitle.textContent = `Evidence for ${c.marker}`;
  const place = el("div", { class: "ev", text: c.step === null ? "" : "…" });
  view.detail.replaceChildren(el("div", { class: c.fault ? "ev bad" : "ev" },
    el("b", { text: `${c.retrieval_words} · ${c.support_words}` }), el("br"), el("small", { text: c.url || "no address" }),
    WHY[c.retrieval] ? el("div", { text: WHY[c.retrieval] }) : null));
  view.detail.scrollTop = 0;
  if (c.step === null) {
    if (c.retrieval !== "opened" && c.retrieval !== "seen") return;
    place.textContent = "Nothing in what was retrieved from this address shares words or figures with the sentence.";
    view.detail.append(place);
    return;
  }
  view.detail.append(place, el("button", { class: "step", onclick: () => view.open(c.step, { cite: ordinal }), text: `Open step ${c.step} at these words →` }));
  view.at(c.step);
  try {
    const passage = await ask(view, "passage", { cite: ordinal });
    if (view.detailTurn !== turn) return;
    if (!passage) { place.textContent = "The passage is not in this step any more: analyse the trajectory anew."; return; }
    place.replaceChildren(el("small", { text: `step ${c.step}: the passage that shares most with the sentence` }), el("br"),
      passage.before, el("mark", { class: "flash", text: passage.match }), passage.after);
  } catch (error) { fail(view, error); }
}

// `marked` names words to flash: {cite} or {place, nth, start, end}.
async function showStep(view, i, marked = {}) {
  const turn = (view.detailTurn = (view.detailTurn || 0) + 1);
  view.grid.classList.add("opened");
  view.detailTitle.textContent = `Step ${i} · loading`;
  address(view, { cite: null });
  let body;
  try { body = await ask(view, "step", { n: i, ...marked }); } catch (error) { fail(view, error); return; }
  if (view.detailTurn !== turn) return;
  view.shownStep = i;
  view.detailTitle.textContent = `Step ${i} · ${body.role}${body.agent ? ` · ${body.agent}` : ""}`;
  const phases = el("div", { class: "phases" }), phase = PHASES[view.columns?.phase[i]], row = view.outline.rowOf(i);
  for (const name of Object.values(PHASES))
    phases.append(el("button", { class: phase === name ? "on" : "", text: name, title: "say which phase this step belongs to", onclick: () => view.component.setTriggerValue("correct", { step: i, phase: name }) }));
  const sure = el("span", { class: "mute" });
  const say = (known) => { sure.textContent = known.by === "person" ? "set by a person" : known.by ? `by rule, confidence ${(known.confidence ?? 0).toFixed(2)}` : "no phase yet"; };
  if (row) say(row);
  else ask(view, "rows", { from: i, to: i + 1 }).then(([known]) => known && say(known), () => {});
  phases.append(sure);
  view.detail.replaceChildren(phases, ...notesOf(view, i), ...stepBodies(view, body, marked), noteForm(view, i));
  const mark = view.detail.querySelector("mark.flash");
  view.detail.scrollTop = mark ? mark.getBoundingClientRect().top - view.detail.getBoundingClientRect().top - 80 : 0;
}

const notesOf = (view, i) => (view.notesAt.get(i) || []).map((note) =>
  el("div", { class: `margin ${note.kind}` }, el("b", { text: note.word }), ` ${note.text} `, el("small", { text: note.by })));

const KINDS = [["mistake", "mistake"], ["insight", "insight"], ["near_miss", "near miss"], ["hack", "hack"], ["note", "note"], ["tag", "tag"]];

// A note on this step, without leaving it. Kept by the page (components/notes.py), which shows it in the margin.
function noteForm(view, i) {
  const kind = el("select", { "aria-label": "Kind of note" }, ...KINDS.map(([value, text]) => el("option", { value, text })));
  kind.value = view.lastKind || "mistake";
  const text = el("input", { type: "text", placeholder: "a note on this step  m", "aria-label": "Note" });
  const send = () => {
    if (!text.value.trim()) { text.focus(); return; }
    view.lastKind = kind.value;
    view.component.setTriggerValue("note", { step: i, kind: kind.value, text: text.value });
    text.value = "";
    view.frame.focus();
  };
  for (const node of [kind, text]) node.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter") { event.preventDefault(); send(); }
    if (event.key === "Escape") view.frame.focus();
  };
  view.noteText = text;
  return el("div", { class: "note-form" }, kind, text, el("button", { text: "add", onclick: send }));
}
