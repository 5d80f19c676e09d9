// The rating page: what is shown, what is kept, what the keys do.

import * as form from "./form.js";
import * as marks from "./marks.js";
import * as reading from "./reading.js";
import * as server from "./server.js";

const $ = (id) => document.getElementById(id);
let desk = null;
let key = "";
let busy = false;
let keepTimer = 0;
let savedAt = 0;
let changed = false;
// Seconds the pair was in view; a hidden page does not count.
let seconds = 0;
let since = performance.now();

const spent = () => seconds + (document.hidden ? 0 : (performance.now() - since) / 1000);
const draft = () => ({ ...form.values(), seconds: Math.round(spent() * 10) / 10 });
const say = (text, alarm = false) => {
  $("said").textContent = text;
  $("said").classList.toggle("alarm", alarm);
};

function show(next) {
  desk = next;
  document.body.dataset.state = desk.state;
  const { done, total } = desk.progress ?? { done: 0, total: 0 };
  $("bar").setAttribute("aria-valuemax", total);
  $("bar").setAttribute("aria-valuenow", done);
  $("bar").firstElementChild.style.width = total ? `${(100 * done) / total}%` : "0";
  for (const button of document.querySelectorAll('[data-do="undo"]')) button.hidden = !desk.can_undo;
  $("saved").textContent = "";
  if (desk.state !== "pair") return notice(desk.state === "closed" ? CLOSED : `All ${total} pairs are rated. Thank you.`);
  $("notice").hidden = true;
  $("progress").textContent =
    `${desk.practice ? "practice " : ""}pair ${done + 1} of ${total}` +
    (desk.practice ? " · does not count" : "") +
    (desk.minutes_left ? ` · about ${desk.minutes_left} min left at your pace` : "");
  $("reason-note").textContent = desk.reason_required ? "required" : "optional";
  form.build(desk.dimensions);
  form.fill(desk.draft);
  $("asked").textContent = ASKED[desk.shows];
  reading.show(desk);
  marks.show(desk);
  key = server.newKey();
  seconds = desk.draft?.seconds ?? 0;
  since = performance.now();
  changed = false;
  document.activeElement?.blur();
}

const ASKED = {
  reports: "Which report serves the question better?",
  rewrites: "Which report serves the question better?",
  research: "Which research serves the question better?",
};
const CLOSED = "This round is closed. What you sent before counts. Thank you.";

function notice(text) {
  $("notice").querySelector("p").textContent = text;
  $("notice").hidden = false;
}

const waiting = (what, pause) => ($("saved").textContent = `${what}; trying again in ${pause} s`);

/** A refusal that ends the page (closed, revoked) takes its place; any other is said beside the button. */
function refused(error) {
  if (error instanceof server.Refused && [403, 409].includes(error.status)) {
    document.body.dataset.state = "closed";
    notice(error.message);
  } else say(error.message, true);
}

async function work(task) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  try {
    await task();
  } catch (error) {
    refused(error);
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

const submit = () =>
  work(async () => {
    if (desk?.state !== "pair") return;
    const lacking = form.missing(desk.reason_required);
    if (lacking) {
      say(lacking.text, true);
      return lacking.go();
    }
    clearTimeout(keepTimer);
    say("Sending …");
    const { verdict, scores, reason, seconds: time } = draft();
    const ballot = { assignment: desk.assignment, verdict, scores, reason, seconds: time };
    const number = desk.progress.done + 1;
    const { outcome, feedback, desk: next } = await server.persist(() => server.cast(ballot, key), waiting);
    show(next);
    say(outcome === "recorded" ? `Pair ${number} recorded` : `Pair ${number} had been recorded before`);
    if (feedback) {
      $("feedback").querySelector("p").textContent = feedback;
      $("feedback").showModal();
    }
  });

const undo = () =>
  work(async () => {
    if (!desk?.can_undo) return;
    await keepNow();
    const { undone, desk: next } = await server.persist(() => server.undo(), waiting);
    show(next);
    say(undone ? "Last ballot taken back: correct it and submit again" : "There is no ballot to take back");
  });

function edited() {
  form.show();
  say("");
  changed = true;
  clearTimeout(keepTimer);
  keepTimer = setTimeout(() => keepNow().catch(refused), 500);
}

async function keepNow() {
  clearTimeout(keepTimer);
  if (!changed || desk?.state !== "pair") return;
  changed = false;
  const { assignment } = desk;
  // A draft that was overtaken by the next pair is not worth another try.
  await server.persist(() => (desk.assignment === assignment ? server.keep(assignment, draft()) : null), waiting);
  savedAt = Date.now();
  age();
}

function age() {
  if (!savedAt || desk?.state !== "pair") return;
  const ago = Math.round((Date.now() - savedAt) / 1000);
  $("saved").textContent = ago < 5 ? "Saved" : ago < 90 ? `Saved ${ago} s ago` : `Saved ${Math.round(ago / 60)} min ago`;
}

function toggleTrace() {
  reading.toggleTrace();
  marks.close();
}
const toggleSheet = () => ($("sheet").open ? $("sheet").close() : $("sheet").showModal());
const ACTIONS = {
  undo, sheet: toggleSheet, more: reading.toggleQuestion, together: reading.toggleTogether, find: reading.openFind, trace: toggleTrace,
  next: () => reading.step(1), previous: () => reading.step(-1), "close-find": reading.closeFind,
  understood: () => $("feedback").close(), "close-passage": marks.close,
};
const KEYS = {
  u: undo, "?": toggleSheet, q: reading.toggleQuestion, s: reading.toggleTogether, "/": reading.openFind,
  t: toggleTrace, d: form.enterScores, r: form.writeReason, j: () => reading.readOn(1), k: () => reading.readOn(-1),
};
const VERDICTS = ["left", "right", "both_good", "both_fair", "both_bad"];

function pressed(event) {
  if (event.isComposing || $("feedback").open) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    return submit();
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if ($("sheet").open) return event.key === "?" ? toggleSheet() : undefined;
  if (target === $("needle")) {
    if (event.key === "Enter") reading.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") reading.closeFind();
    else return;
    return event.preventDefault();
  }
  if (event.key === "Escape") return target.blur?.(), marks.close(), reading.closeFind();
  if (target === $("reason")) {
    // Enter goes on, as it does after every score; Shift+Enter begins a line.
    if (event.key === "Enter" && !event.shiftKey) event.preventDefault(), submit();
    return;
  }
  if (marks.pressed(event)) return event.preventDefault();
  const cell = form.cellOf(target);
  const digit = "12345".indexOf(event.key);
  if (cell && event.key === "Backspace") form.back(cell), edited();
  else if (cell && digit >= 0) form.score(cell, digit + 1), edited();
  else if (digit >= 0) form.choose("verdict", VERDICTS[digit]), edited(), form.goOn(desk?.reason_required);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
document.addEventListener("click", (event) => ACTIONS[event.target.closest("[data-do]")?.dataset.do]?.());
$("ballot").addEventListener("input", edited);
$("ballot").addEventListener("submit", (event) => (event.preventDefault(), submit()));
$("find").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) seconds += (performance.now() - since) / 1000;
  since = performance.now();
});
addEventListener("pagehide", () => desk?.state === "pair" && changed && server.keepOnLeaving(desk.assignment, draft()));
addEventListener("resize", reading.fitQuestion);
setInterval(age, 5000);

work(async () => show((await server.persist(server.desk, waiting)).desk));
