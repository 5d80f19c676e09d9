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
  if (text.parts) {
    const [before, match, after] = text.parts;
    node.append(...folded(before, FOLD / 3, false), el("mark", { class: "flash", text: match }), ...folded(after, FOLD / 3, true));
  } else if (text.folded) {
    const button = el("button", { class: "unfold", text: `show all ${count(text.chars)} characters` });
    button.onclick = async () => {
      button.disabled = true;
      const whole = await more();
      if (whole) node.textContent = whole.text;
      else button.disabled = false;
    };
    node.append(text.text, button);
  } else if (fold && text.text.length > fold) node.append(...folded(text.text, fold, true));
  else node.textContent = text.text;
  return node;
}

// The end of a text that is near the marked words (`head`: its beginning), and a button for the rest.
function folded(text, keep, head) {
  if (text.length <= keep) return [text];
  const kept = head ? text.slice(0, keep) : text.slice(-keep), rest = head ? text.slice(keep) : text.slice(0, -keep);
  const button = el("button", { class: "unfold", text: `show ${count(rest.length)} more characters ${head ? "" : "before"}` });
  button.onclick = () => button.replaceWith(rest);
  return head ? [kept, button] : [button, kept];
}

const CALL = { search: "⌕", visit: "▢", code: "›", other: "›" };

// What is empty is left out. `column`: the folded form; without it everything, in boxes.
function stepBodies(view, body) {
  const parts = [];
  const box = (title, node, bad) => parts.push(el("div", { class: bad ? "ev bad" : "ev" }, el("h4", { text: title }), node));
  if (body.reasoning.chars) box("reasoning", el("div", { class: "thought" }, textNode("div", body.reasoning, { fold: FOLD })));
  if (body.text.chars) box("text", textNode("div", body.text, { fold: FOLD }));
  for (const call of body.calls) box(`calls ${call.name}`, el("pre", { dir: "auto", text: JSON.stringify(call.arguments, null, 1) }));
  for (const result of body.results)
    box(result.error ? "result: failed" : `result · ${size(result.chars)}`, textNode("div", result, { fold: FOLD }), result.error);
  if (!parts.length) parts.push(el("p", { class: "mute", text: "This step is empty." }));
  return parts;
}
