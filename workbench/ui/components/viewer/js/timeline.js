// The timeline is also the minimap: phases, what was done where, notes, what the column shows, and where one is.

const HEIGHT = 86, LEFT = 12, BAND = 22, MARKS = 44;
// Below this width a step has no mark of its own: bars count what the steps of a bin did.
const LEAST = 7;

function timeline(view) {
  const root = svg("svg", { role: "img", "aria-label": "steps by phase", height: HEIGHT });
  const box = el("div", { class: "timeline" }, root);
  view.drawTimeline = () => drawTimeline(view, root, box.clientWidth);
  new ResizeObserver(() => view.drawTimeline()).observe(box);
  const at = (event) => {
    const place = (event.clientX - root.getBoundingClientRect().left - LEFT) / (view.timelineWidth - 2 * LEFT);
    return clamp(Math.floor(place * view.n), 0, view.n - 1);
  };
  root.onpointerdown = (event) => { root.setPointerCapture(event.pointerId); view.scrubbing = true; view.select(at(event)); };
  root.onpointermove = (event) => {
    const i = at(event);
    if (view.scrubbing) view.select(i);
    view.timelineTitle.textContent = `${i} · ${PHASES[view.columns.phase[i]]} · ${view.outline.labelOf(i)}`;
  };
  root.onpointerup = root.onpointercancel = () => { view.scrubbing = false; };
  return box;
}

function drawTimeline(view, root, width) {
  if (!view.columns || !width) return;
  const { n } = view, { phase, glyph } = view.columns;
  const x = (i) => LEFT + ((width - 2 * LEFT) * i) / n;
  view.timelineWidth = width;
  root.setAttribute("width", width);
  root.replaceChildren(...bands(phase, n, x));
  root.append(...((width - 2 * LEFT) / n >= LEAST ? ownMarks(view, glyph, n, x) : bars(view, glyph, n, x, width)));
  root.append(...breadthLines(view, x));
  for (const note of view.data.notes) {
    const cx = x(note.step + 0.5);
    root.append(svg("path", { d: `M${cx} ${HEIGHT - 10}l4 5l-4 5l-4 -5z`, class: `note ${note.kind}` }));
  }
  view.shownRect = svg("rect", { y: BAND - 3, height: HEIGHT - BAND - 1, class: "shown", visibility: "hidden" });
  view.cursor = svg("line", { y1: BAND - 6, y2: HEIGHT - 2, class: "cursor", visibility: "hidden" });
  view.timelineTitle = svg("title", {});
  root.append(view.shownRect, view.cursor, view.timelineTitle);
  view.cursorAt = (i) => {
    for (const name of ["x1", "x2"]) view.cursor.setAttribute(name, x(i + 0.5));
    view.cursor.setAttribute("visibility", i === null ? "hidden" : "visible");
  };
  view.shownAt = (first, last) => {
    view.shownRect.setAttribute("visibility", first === null ? "hidden" : "visible");
    if (first === null) return;
    view.shownRect.setAttribute("x", x(first));
    view.shownRect.setAttribute("width", Math.max(x(last + 1) - x(first), 3));
  };
  if (view.current !== null) view.cursorAt(view.current);
}

// A stretch of one phase; in a long trajectory what is narrower than a pixel is drawn with its neighbour.
function bands(phase, n, x) {
  const found = [];
  for (let start = 0, i = 1; i <= n; i++) {
    if (i < n && phase[i] === phase[start]) continue;
    const left = x(start), right = x(i), name = PHASES[phase[start]];
    const last = found.at(-1);
    if (right - left < 1 && last && left - last.right < 1) last.right = right;
    else found.push({ name, left, right, steps: i - start });
    start = i;
  }
  return found.flatMap(({ name, left, right, steps }) => {
    const band = svg("rect", { x: left + 0.5, y: BAND, width: Math.max(right - left - 1, 1), height: 13, rx: 2, class: `band ${name}` });
    if (right - left < 62) return [band];
    const words = right - left > 140 ? `${name} · ${count(steps)} ${steps === 1 ? "step" : "steps"}` : name;
    return [band, svg("text", { x: left + 2, y: BAND - 7, class: `name ${name}` }, words)];
  });
}

function ownMarks(view, glyph, n, x) {
  const marks = [];
  for (let i = 0; i < n; i++) {
    const cx = x(i + 0.5), y = MARKS + 8, kind = `mark ${PHASES[view.columns.phase[i]]}`;
    if (view.failed.has(i)) marks.push(svg("path", { d: `M${cx - 4} ${y - 4}l8 8m0 -8l-8 8`, class: "mark error" }));
    else if (glyph[i] === "s") marks.push(svg("circle", { cx, cy: y, r: 4, class: `${kind} full` }));
    else if (glyph[i] === "v") marks.push(svg("rect", { x: cx - 4, y: y - 4, width: 8, height: 8, class: kind }));
    else if (glyph[i] === "a" || glyph[i] === "c") marks.push(svg("path", { d: `M${cx} ${y - 5}l5 9h-10z`, class: `${kind} full` }));
    else marks.push(svg("path", { d: `M${cx} ${y - 3}v6`, class: "mark quiet" }));
  }
  return marks;
}

// Searches, pages, other calls and the agent's own words stacked from below, failures hanging from above.
function bars(view, glyph, n, x, width) {
  const bins = Math.max(Math.floor((width - 2 * LEFT) / 6), 1), kinds = { s: 0, v: 1, c: 2, a: 3 };
  const table = Array.from({ length: bins }, () => [0, 0, 0, 0, 0]);
  for (let i = 0; i < n; i++) {
    const bin = table[Math.floor((i * bins) / n)];
    if (glyph[i] in kinds) bin[kinds[glyph[i]]]++;
    if (view.failed.has(i)) bin[4]++;
  }
  const most = Math.max(...table.map((bin) => bin[0] + bin[1] + bin[2] + bin[3]), 1), room = HEIGHT - MARKS - 14;
  const paths = ["", "", "", "", ""], step = (width - 2 * LEFT) / bins;
  table.forEach((bin, b) => {
    let y = HEIGHT - 12;
    const left = LEFT + b * step + 0.5, w = step - 1;
    for (let kind = 0; kind < 4; kind++) {
      const h = (bin[kind] / most) * room;
      if (h) paths[kind] += `M${left.toFixed(1)} ${y.toFixed(1)}v${-h.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}z`;
      y -= h;
    }
    if (bin[4]) paths[4] += `M${left.toFixed(1)} ${BAND + 15}h${w.toFixed(1)}v${Math.max((bin[4] / most) * room, 2).toFixed(1)}h${-w.toFixed(1)}z`;
  });
  return ["search", "visit", "call", "words", "failed"].map((name, i) => svg("path", { d: paths[i], class: `bar ${name}` }));
}

// How the number of distinct queries and sites grew, each against its own target or its own end.
function breadthLines(view, x) {
  const grown = view.research && view.research.breadth;
  if (!grown) return [];
  const floor = HEIGHT - 12, top = BAND + 16;
  return Object.entries(grown).flatMap(([name, steps]) => {
    if (!steps.length) return [];
    const full = Math.max(view.data.breadth[name][1] || 0, steps.length);
    const path = steps.map((step, k) => `H${x(step + 0.5).toFixed(1)}V${(floor - ((floor - top) * (k + 1)) / full).toFixed(1)}`);
    const words = name === "queries" ? "— distinct queries" : "- - sites opened", left = name === "queries" ? LEFT : LEFT + 100;
    return [svg("path", { d: `M${x(0)} ${floor}${path.join("")}H${x(view.n)}`, class: `grown ${name}` }),
      svg("text", { x: left, y: HEIGHT - 3, class: `legend ${name}` }, words)];
  });
}
