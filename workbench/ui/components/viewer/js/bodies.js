// The texts of a step, in the column and in the evidence card alike. Long ones are folded and never cut.

// In the evidence card a text of more characters is folded.
const FOLD = 6000;

const argumentsText = (call) => {
  const values = Object.entries(call.arguments);
  const [value] = values.length === 1 ? [values[0][1]] : [];
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return values.length ? JSON.stringify(call.arguments, null, 1) : "";
};

// A text as `bodies.text_data` gives it. `more` fetches the whole where the server folded it.
function textNode(tag, text, { more, fold } = {}) {
  const node = el(tag, { dir: "auto", class: "said" });
  const fill = (known) => {
    if (known.parts) {
      const [before, match, after] = known.parts;
      node.replaceChildren(...folded(before, FOLD / 3, false), el("mark", { class: "flash", text: match }), ...folded(after, FOLD / 3, true));
    } else node.replaceChildren(...(known.folded || !fold ? pieces(known.text) : folded(known.text, fold, true)));
    if (!known.folded) return;
    const button = el("button", { class: "unfold", text: `show all ${count(known.chars)} characters` });
    button.onclick = async () => {
      button.disabled = true;
      const whole = await more();
      if (!whole) button.disabled = false;
      else if (whole.parts) node.replaceChildren(...pieces(whole.parts[0]), el("mark", { class: "flash", text: whole.parts[1] }), ...pieces(whole.parts[2]));
      else node.replaceChildren(...pieces(whole.text));
    };
    node.append(button);
  };
  fill(text);
  return node;
}

// The end of a text that is near the marked words (`head`: its beginning), and a button for the rest.
function folded(text, keep, head) {
  if (text.length <= keep) return [text];
  const kept = head ? text.slice(0, keep) : text.slice(-keep), rest = head ? text.slice(keep) : text.slice(0, -keep);
  const button = el("button", { class: "unfold", text: `show ${count(rest.length)} more characters ${head ? "" : "before"}` });
  button.onclick = () => button.replaceWith(...pieces(rest));
  return head ? [kept, button] : [button, kept];
}

// A text of megabytes in blocks that are laid out when they come into sight: as one node it would stop the page. They end
// where a line does, else where a word does.
const PIECE = 20000;
function pieces(text) {
  if (text.length <= 3 * PIECE) return [text];
  const found = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length) {
      const line = text.lastIndexOf("\n", end - 1), word = text.lastIndexOf(" ", end - 1);
      end = line > start + PIECE / 2 ? line + 1 : word > start ? word + 1 : /[\ud800-\udbff]/.test(text[end - 1]) ? end - 1 : end;
    }
    found.push(el("span", { class: "piece", text: text.slice(start, end) }));
    start = end;
  }
  return found;
}

const CALL = { search: "⌕", visit: "▢", code: "›", other: "›" };

// Everything in boxes; what is empty is left out.
function stepBodies(view, body, marked) {
  const parts = [];
  const whole = (pick) => async () => {
    try { return pick(await ask(view, "step", { n: body.n, ...marked, whole: "1" })); } catch (error) { fail(view, error); return null; }
  };
  const box = (title, node, bad) => parts.push(el("div", { class: bad ? "ev bad" : "ev" }, el("h4", { text: title }), node));
  if (body.reasoning.chars) box("reasoning", el("div", { class: "thought" }, textNode("div", body.reasoning, { fold: FOLD, more: whole((b) => b.reasoning) })));
  if (body.text.chars) box("text", textNode("div", body.text, { fold: FOLD, more: whole((b) => b.text) }));
  for (const call of body.calls) box(`calls ${call.name}`, el("pre", { dir: "auto" }, ...folded(JSON.stringify(call.arguments, null, 1), FOLD, true)));
  body.results.forEach((result, k) => box(result.error ? "result: failed" : `result · ${size(result.chars)}`,
    textNode("div", result, { fold: FOLD, more: whole((b) => b.results[k]) }), result.error));
  if (!parts.length) parts.push(el("p", { class: "mute", text: "This step is empty." }));
  return parts;
}
