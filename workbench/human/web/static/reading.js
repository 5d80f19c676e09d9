// The two reports: set, scrolled (together on wish), searched. Reports arrive as inert HTML made by the server.

const panes = ["left", "right"].map((side) => document.getElementById(side));
const find = document.getElementById("find");
const needle = document.getElementById("needle");
const hits = document.getElementById("hits");
const more = document.getElementById("more");
const question = document.getElementById("question");
const trace = document.getElementById("trace");
let shown = null;
let together = false;
let driven = null;
let matches = [];
let current = -1;

export function show(desk) {
  closeFind();
  shown = desk;
  question.textContent = desk.question;
  document.getElementById("ask").classList.remove("whole");
  trace.hidden = !(desk.traces.left && desk.traces.right);
  lay([desk.left, desk.right], false);
  fitQuestion();
}

function lay(sides, research) {
  sides.forEach((html, i) => {
    panes[i].querySelector(".text").innerHTML = html;
    panes[i].scrollTop = 0;
  });
  trace.setAttribute("aria-pressed", String(research));
}

/** The research behind both reports in their place, and back. */
export function toggleTrace() {
  if (trace.hidden) return;
  const research = trace.getAttribute("aria-pressed") !== "true";
  closeFind();
  lay(research ? [shown.traces.left, shown.traces.right] : [shown.left, shown.right], research);
}

/** The button for the whole question is there only where some of it does not show. */
export function fitQuestion() {
  const whole = document.getElementById("ask").classList.contains("whole");
  more.hidden = !whole && question.scrollHeight <= question.clientHeight + 1;
  more.firstElementChild.textContent = whole ? "Less" : "Whole question";
}

export function toggleQuestion() {
  if (more.hidden) return;
  document.getElementById("ask").classList.toggle("whole");
  fitQuestion();
}

export function toggleTogether() {
  together = !together;
  document.getElementById("together").setAttribute("aria-pressed", String(together));
  if (together) follow(panes[0]);
}

const room = (pane) => pane.scrollHeight - pane.clientHeight;

/** Reports differ in length: together means the same share of each. */
function follow(pane) {
  const other = panes[1 - panes.indexOf(pane)];
  driven = other;
  other.scrollTop = room(pane) > 0 ? (pane.scrollTop / room(pane)) * room(other) : 0;
}

for (const pane of panes) {
  pane.addEventListener("scroll", () => {
    if (driven === pane) driven = null;
    else if (together) follow(pane);
  });
}

export function readOn(direction) {
  if (together) panes[0].scrollBy({ top: direction * panes[0].clientHeight * 0.85 });
  else for (const pane of panes) pane.scrollBy({ top: direction * pane.clientHeight * 0.85 });
}

// Matches are painted by the browser's highlight registry: the reports' own nodes stay as they are.
const paint = (name, ranges) => CSS.highlights?.set(name, new Highlight(...ranges));

export function openFind() {
  find.hidden = false;
  needle.focus();
  needle.select();
}

export function closeFind() {
  needle.blur();
  find.hidden = true;
  matches = [];
  current = -1;
  hits.textContent = "";
  CSS.highlights?.clear();
}

needle.addEventListener("input", search);

function search() {
  const wanted = needle.value.toLowerCase();
  const found = panes.map((pane) => (wanted ? rangesOf(pane.querySelector(".text"), wanted) : []));
  matches = found.flat();
  current = -1;
  hits.textContent = wanted ? `${found[0].length} left, ${found[1].length} right` : "";
  paint("found", matches);
  paint("current", []);
  for (const ranges of found) if (ranges.length) reveal(ranges[0]);
}

/** Ranges of every match, also across formatting within a block. */
function rangesOf(root, wanted) {
  const nodes = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const folded = text.toLowerCase();
  // Where folding changes lengths (a few letters do), positions would not fit: such texts are searched as written.
  const hay = folded.length === text.length ? folded : text;
  const ranges = [];
  let at = 0;
  for (let i = hay.indexOf(wanted); i >= 0; i = hay.indexOf(wanted, i + wanted.length)) {
    while (at + 1 < nodes.length && nodes[at + 1].start <= i) at++;
    let end = at;
    while (end + 1 < nodes.length && nodes[end + 1].start < i + wanted.length) end++;
    const range = new Range();
    range.setStart(nodes[at].node, i - nodes[at].start);
    range.setEnd(nodes[end].node, i + wanted.length - nodes[end].start);
    ranges.push(range);
  }
  return ranges;
}

function reveal(range) {
  const pane = panes.find((one) => one.contains(range.startContainer));
  const at = range.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (together) driven = panes[1 - panes.indexOf(pane)];
  pane.scrollTop += at - pane.clientHeight / 3;
}

export function step(direction) {
  if (!matches.length) return;
  current = (current + direction + matches.length) % matches.length;
  paint("current", [matches[current]]);
  reveal(matches[current]);
}
