// The ballot: verdict, scores, reason. Reads and writes the form, moves between its cells by key.

const form = document.getElementById("ballot");
const grid = document.querySelector("#scores .grid");
const guidance = document.getElementById("guidance");
const reason = document.getElementById("reason");
let dimensions = [];

const el = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** Builds the rows of scores. Each row has two groups of five, left and right. */
export function build(wanted) {
  if (JSON.stringify(wanted) === JSON.stringify(dimensions)) return;
  dimensions = wanted;
  document.getElementById("scores").hidden = !wanted.length;
  grid.replaceChildren(
    el("span", { className: "head", textContent: "Each on its own" }),
    el("span", { className: "head side", textContent: "Left" }),
    el("span", { className: "head side", textContent: "Right" }),
  );
  for (const { name, label, guidance: text } of wanted) {
    grid.append(el("span", { className: "name", textContent: label }));
    for (const side of ["left", "right"]) grid.append(cell(name, label, side, text));
  }
  document.getElementById("dimensions").replaceChildren(
    ...wanted.map(({ label, guidance: text }) => el("div", {}, el("dt", { textContent: label }), el("dd", { textContent: text }))),
  );
}

function cell(name, label, side, text) {
  const group = el("fieldset", { className: "cell" }, el("legend", { textContent: `${label}, ${side}` }));
  for (let score = 1; score <= 5; score++) {
    const input = el("input", { type: "radio", name: `${side}:${name}`, value: String(score) });
    input.setAttribute("aria-label", `${label}, ${side}: ${score} of 5`);
    group.append(el("label", {}, input, el("span", { textContent: String(score) })));
  }
  group.addEventListener("focusin", () => (guidance.textContent = text));
  return group;
}

const cells = () => [...grid.querySelectorAll(".cell")];
const chosen = (name) => form.querySelector(`input[name="${CSS.escape(name)}"]:checked`)?.value ?? null;
const inputs = (name) => form.querySelectorAll(`input[name="${CSS.escape(name)}"]`);

export function choose(name, value) {
  for (const input of inputs(name)) input.checked = input.value === String(value);
}

export const values = () => ({
  verdict: chosen("verdict"),
  scores: Object.fromEntries(
    dimensions
      .map(({ name }) => [name, ["left", "right"].map((side) => Number(chosen(`${side}:${name}`)) || null)])
      .filter(([, pair]) => pair.some(Boolean)),
  ),
  reason: reason.value,
});

export function fill(draft) {
  form.reset();
  guidance.textContent = "";
  choose("verdict", draft?.verdict);
  for (const [name, pair] of Object.entries(draft?.scores ?? {})) {
    pair.forEach((score, i) => score && choose(`${["left", "right"][i]}:${name}`, score));
  }
  reason.value = draft?.reason ?? "";
  show();
}

/** Marks the chosen side on the page. */
export function show() {
  document.body.dataset.verdict = chosen("verdict") ?? "";
}

/** What is still missing, as a sentence and the place to go; null if the ballot is complete. */
export function missing(reasonRequired) {
  if (!chosen("verdict")) return { text: "Choose a verdict: keys 1 to 5", go: () => inputs("verdict")[0].focus() };
  const open = cells().filter((group) => !group.querySelector(":checked"));
  if (open.length) {
    return { text: `${open.length} of ${cells().length} scores are missing`, go: () => enter(open[0]) };
  }
  if (reasonRequired && !reason.value.trim()) return { text: "Say why in a sentence", go: () => reason.focus() };
  return null;
}

const enter = (group) => (group.querySelector(":checked") ?? group.querySelector("input")).focus();

/** To the first score that is missing (or the first of all). */
export function enterScores() {
  const all = cells();
  const first = all.find((group) => !group.querySelector(":checked")) ?? all[0];
  if (first) enter(first);
  else reason.focus();
}

/** Where the keys go on after a verdict: to what is missing still, or nowhere. */
export function goOn(reasonRequired) {
  if (cells().some((group) => !group.querySelector(":checked"))) enterScores();
  else if (reasonRequired && !reason.value.trim()) reason.focus();
}

export const writeReason = () => reason.focus();
export const cellOf = (element) => element.closest?.(".cell") ?? null;

/** A digit typed in a cell: scores it and goes on; after the last cell to the reason. */
export function score(group, digit) {
  choose(group.querySelector("input").name, digit);
  const all = cells();
  const next = all[all.indexOf(group) + 1];
  if (next) enter(next);
  else reason.focus();
}

/** Back to the cell before, or clears this one where it is the first. */
export function back(group) {
  const all = cells();
  const before = all[all.indexOf(group) - 1];
  if (group.querySelector(":checked")) choose(group.querySelector("input").name, null);
  else if (before) {
    choose(before.querySelector("input").name, null);
    enter(before);
  }
}
