// The outline: every step a row, of which only those in sight exist. Labels come in windows of PAGE rows.

const PAGE = 200, TALL = 40, LOW = 24;
// An address or a size stands in one line, a query or a sentence needs two.
const low = (glyph) => glyph === "t" || glyph === "v";

function outline(view) {
  const list = el("div", { class: "scroll rows", tabindex: "-1" });
  const body = el("div", { class: "all" });
  list.append(body);
  const rows = new Map(), pages = new Map();
  const self = { node: list, offsets: [0], wanted: null };

  const labelled = (i) => { const page = pages.get(Math.floor(i / PAGE)); return Array.isArray(page) ? page[i % PAGE] : null; };
  self.labelOf = (i) => labelled(i)?.label ?? "";
  self.rowOf = labelled;

  self.reset = () => {
    const { glyph } = view.columns;
    self.offsets = new Float64Array(view.n + 1);
    for (let i = 0; i < view.n; i++) self.offsets[i + 1] = self.offsets[i] + (low(glyph[i]) ? LOW : TALL);
    body.style.height = `${self.offsets[view.n]}px`;
    rows.clear(); pages.clear(); body.replaceChildren();
    self.draw();
  };

  const fill = (row, i) => {
    const known = labelled(i), { glyph, phase, results } = view.columns;
    const mark = { s: "⌕ ", v: "▢ ", c: "› ", t: "↳ ", y: "system: ", u: "user: " }[glyph[i]] || "";
    const failed = view.failed.has(i);
    row.className = `step ${PHASES[phase[i]]}${failed ? " error" : ""}${i === view.current ? " on" : ""}${known ? "" : " empty"}${low(glyph[i]) ? " low" : ""}`;
    row.children[1].textContent = known ? mark + (glyph[i] === "v" ? known.label.replace(/^https?:\/\/(www\.)?/, "") : known.label) + (known.by === "person" ? " ✎" : "") : "";
    row.children[2].replaceChildren(
      ...(view.notesAt.get(i) || []).map((note) => el("b", { class: `dot ${note.kind}`, title: `${note.word}: ${note.text}` })),
      failed ? "failed" : results[i] ? size(results[i]) : "");
    row.filled = !!known;
  };

  self.draw = () => {
    if (!view.columns) return;
    const top = list.scrollTop, height = list.clientHeight || 700;
    const first = clamp(above(self.offsets, top) - 1 - 6, 0, view.n), last = clamp(above(self.offsets, top + height) + 6, 0, view.n);
    for (const [i, row] of rows) if (i < first || i >= last) { row.remove(); rows.delete(i); }
    for (let i = first; i < last; i++) {
      if (rows.has(i)) { if (!rows.get(i).filled) fill(rows.get(i), i); continue; }
      const row = el("button", { onclick: () => view.select(i), style: `top:${self.offsets[i]}px;height:${self.offsets[i + 1] - self.offsets[i]}px` },
        el("i", { text: String(i) }), el("span"), el("small"));
      rows.set(i, row);
      fill(row, i);
      body.append(row);
    }
    if (last > first) load(Math.floor(first / PAGE), Math.floor((last - 1) / PAGE));
  };

  // What one scrolls past is not worth asking for: the pages in sight are, once one rests for a moment.
  const load = (first, last) => {
    clearTimeout(self.timer);
    const missing = [];
    for (let page = first; page <= last; page++) if (!pages.has(page)) missing.push(page);
    if (missing.length) self.timer = setTimeout(() => missing.forEach(fetchPage), self.started ? 40 : 0);
    self.started = true;
  };
  const fetchPage = async (page) => {
    if (pages.has(page)) return;
    const asked = ask(view, "rows", { from: page * PAGE, to: (page + 1) * PAGE });
    pages.set(page, asked);
    try {
      const found = await asked;
      if (pages.get(page) === asked) pages.set(page, found);
      self.draw();
      view.rowsCame?.();
    } catch (error) {
      pages.delete(page);
      fail(view, error);
    }
  };

  self.mark = (i) => {
    for (const [at, row] of rows) row.classList.toggle("on", at === i);
    if (i === null || i === undefined) return;
    const top = self.offsets[i], bottom = self.offsets[i + 1], height = list.clientHeight;
    if (top < list.scrollTop + 4) list.scrollTop = Math.max(top - height / 4, 0);
    else if (bottom > list.scrollTop + height - 4) list.scrollTop = bottom - (3 * height) / 4;
    self.draw();
  };
  self.remark = () => { for (const [i, row] of rows) fill(row, i); };
  list.onscroll = () => self.draw();
  new ResizeObserver(() => self.draw()).observe(list);
  return self;
}

function outlineCard(view) {
  view.outline = outline(view);
  const foot = el("div", { class: "foot" });
  if (!view.n) view.outline.node.append(el("p", { class: "mute", text: "The report was imported alone: what its agent did is not known." }));
  else for (const [name, [done, target]] of Object.entries(view.data.breadth)) {
    foot.append(el("div", { text: target === null ? `${name} ${done} · no target for this question` : `${name} ${done} of target ${target}` }));
    const share = target === null ? 0 : target === 0 ? 1 : Math.min(done / target, 1);
    if (target !== null) foot.append(el("div", { class: "progress" }, el("div", { style: `width:${100 * share}%` })));
  }
  const box = (name, words, act) => {
    const node = el("input", { class: name, type: "search", placeholder: words, "aria-label": words, autocomplete: "off" });
    node.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Enter") { event.preventDefault(); act(node.value.trim()); }
      if (event.key === "Escape") view.frame.focus();
    };
    return node;
  };
  view.findBox = box("find", "find words  /", (words) => view.find(words));
  view.stepBox = box("goto", "step  g", (number) => {
    if (!/^\d{1,9}$/.test(number) || Number(number) >= view.n) { tell(view, `Steps are numbered 0 to ${view.n - 1}.`); return; }
    view.frame.focus();
    view.select(Number(number));
  });
  return el("div", { class: "card outline" }, el("h3", { text: `Outline · ${count(view.n)} steps` }),
    view.n ? el("div", { class: "boxes" }, view.findBox, view.stepBox) : null, view.outline.node, foot);
}
