// Citation marks: each opens the passage of the run that it rests on. Passages come with the pair: opening asks nobody.

const panes = ["left", "right"].map((side) => document.getElementById(side));
const NONE = "No passage: what was retrieved holds none that carries this sentence.";
let passages = { left: [], right: [] };
let opened = null;

export function show(desk) {
  close();
  passages = desk.passages;
  document.body.dataset.opens = String(openable(panes[0]));
}

const openable = (pane) => passages[pane.id].length > 0;
const marksOf = (pane) => [...pane.querySelectorAll(".text .cite[data-p]")];

function open(mark) {
  const pane = panes.find((one) => one.contains(mark));
  if (!pane || !openable(pane)) return;
  close();
  opened = mark;
  mark.classList.add("open");
  const box = pane.querySelector(".passage");
  const numbers = mark.dataset.p ? mark.dataset.p.split(" ") : [];
  const head = document.createElement("p");
  const shut = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Close" });
  shut.dataset.do = "close-passage";
  head.append(`Passage for ${mark.textContent}`, shut);
  box.replaceChildren(head);
  for (const number of numbers) {
    const text = document.createElement("blockquote");
    text.innerHTML = passages[pane.id][number]; // inert HTML made by the server
    box.append(text);
  }
  if (!numbers.length) box.append(Object.assign(document.createElement("p"), { textContent: NONE }));
  box.hidden = false;
  box.scrollTop = 0;
  const text = box.querySelector("mark");
  if (text) box.scrollTop = text.offsetTop - box.offsetTop - 48;
  const at = mark.getBoundingClientRect();
  const room = pane.getBoundingClientRect();
  if (at.top < room.top + 40 || at.bottom > room.bottom - box.offsetHeight - 20) {
    pane.scrollTop += at.top - room.top - pane.clientHeight / 4;
  }
}

export function close() {
  opened?.classList.remove("open");
  opened = null;
  for (const pane of panes) pane.querySelector(".passage").hidden = true;
}

/** The next mark of a pane, or the one before: from the open one, else from where one has read to. */
function step(pane, direction) {
  const marks = marksOf(pane);
  if (!marks.length || !openable(pane)) return;
  const top = pane.getBoundingClientRect().top + 30;
  const from = marks.indexOf(opened);
  const first = marks.findIndex((mark) => mark.getBoundingClientRect().top >= top);
  const next = from >= 0 ? from + direction : direction > 0 ? first : first - 1;
  open(marks[(next + marks.length) % marks.length]);
}

/** Whether a key was one of these. */
export function pressed({ key, shiftKey }) {
  const pane = { c: panes[0], v: panes[1] }[key.toLowerCase()];
  if (!pane) return false;
  step(pane, shiftKey ? -1 : 1);
  return true;
}

document.getElementById("reports").addEventListener("click", (event) => {
  const mark = event.target.closest(".text .cite[data-p]");
  if (!mark) return;
  if (mark === opened) close();
  else open(mark);
});
