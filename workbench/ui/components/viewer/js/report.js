// The report: citations marked by their class, claims without one underlined, words found and flashed.

function reportCard(view) {
  const body = el("div", { class: "report", dir: "auto" });
  if (view.data.report) body.innerHTML = view.data.report;
  else body.append(el("p", { class: "mute", text: "This trajectory has no report." }));
  view.reportBody = body;
  view.marks = [...body.querySelectorAll(".c")];
  view.marks.forEach((mark) => {
    mark.onclick = () => view.cite(Number(mark.dataset.c));
    mark.onkeydown = (event) => { if (event.key === "Enter") view.cite(Number(mark.dataset.c)); };
  });
  view.uncited = [...body.querySelectorAll(".u")];
  const legend = el("p", { class: "legend" });
  const counts = {};
  for (const c of view.data.citations) for (const name of [c.retrieval, c.support]) counts[name] = (counts[name] || 0) + 1;
  for (const [name, words] of [["opened", "opened"], ["seen", "seen, not opened"], ["not_retrieved", "not retrieved"], ["dangling", "dangling"], ["no_trace", "no trace to check"],
    ["supported", "supported"], ["partly", "partly supported"], ["contradicted", "contradicted"], ["unrelated", "unrelated"]])
    if (counts[name]) legend.append(el("span", {}, el("span", { class: `c ${name}`, style: "margin:0 4px 0 0;cursor:default", text: "[n]" }), `${counts[name]} ${words}`));
  if (view.data.uncited) legend.append(el("span", {}, el("span", { class: "u", style: "margin:0 4px 0 0", text: "claim" }), `${view.data.uncited} with figures or names, no citation`));
  return el("div", { class: "scroll" }, legend, body);
}

const MARKERS = /\[[^\]]*\]\([^)]*\)|\[\^?\d+(?:[,\s]\d+)*\]|【[^】]*】/g;

// Marks the words where the report shows them, however its Markdown cut them; says whether they stand there.
function flashInReport(view, words) {
  view.reportBody.querySelectorAll("mark.flash").forEach((mark) => { mark.replaceWith(...mark.childNodes); });
  view.reportBody.normalize();
  const walker = document.createTreeWalker(view.reportBody, NodeFilter.SHOW_TEXT);
  const letters = [], places = [];
  const plain = (text) => text.toLowerCase().replace(/[\s*_#`>|[\]()"“”'’.…-]/gu, "");
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(".c")) continue;
    for (let k = 0; k < node.data.length; k++) {
      const letter = plain(node.data[k]);
      if (letter) { letters.push(letter); places.push([node, k]); }
    }
  }
  const wanted = plain(words.replace(MARKERS, "")), text = letters.join("");
  let found = wanted ? text.indexOf(wanted) : -1, length = wanted.length;
  if (found < 0 && wanted.length > 40) { length = 40; found = text.indexOf(wanted.slice(0, 40)); }
  if (found < 0) return false;
  const pieces = new Map();
  for (const [node, k] of places.slice(found, found + length)) {
    const piece = pieces.get(node);
    if (piece) piece[1] = k + 1;
    else pieces.set(node, [k, k + 1]);
  }
  let first = null;
  for (const [node, [start, end]] of pieces) {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    const mark = el("mark", { class: "flash" });
    range.surroundContents(mark);
    first ||= mark;
  }
  first.scrollIntoView({ block: "center" });
  return true;
}
