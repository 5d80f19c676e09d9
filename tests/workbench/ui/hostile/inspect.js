// What of a page's content is alive or hidden: every element, those of shadow trees too.
() => {
  const bad = [];
  const texts = [];
  // Controls, zero-width, bidirectional, filler, private and tag characters, halves of pairs. U+2060 is the app's own.
  const hidden = new RegExp(
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180b-\\u180f\\u200b\\u200e\\u200f" +
      "\\u2028-\\u202e\\u2061-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff9-\\ufffc\\ufffe\\uffff\\ue000-\\uf8ff" +
      "\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}]|\\p{Surrogate}",
    "u",
  );
  const leads = new Set(
    "href src srcset action formaction poster data xlink:href ping background style content".split(" "),
  );
  const addresses = new Set(["href", "src", "action", "formaction"]);
  const spoken = new Set(["title", "aria-label", "placeholder", "alt", "value"]);
  const elements = new Set("iframe object embed base marquee foreignobject maction dialog form".split(" "));

  const seen = (text, where) => {
    const found = hidden.exec(text);
    if (!found) return;
    const around = text.slice(Math.max(0, found.index - 30), found.index + 30);
    bad.push(`hidden U+${found[0].codePointAt(0).toString(16)} in ${where}: ${around}`);
  };
  const address = (value) => {
    try {
      return new URL(value, location.href);
    } catch {
      return { protocol: "broken:" };
    }
  };
  const attribute = (tag, name, value) => {
    if (name.startsWith("on")) bad.push(`handler ${tag}.${name}=${value}`);
    if (spoken.has(name)) seen(value, `${tag}.${name}`);
    if (!leads.has(name)) return;
    const to = addresses.has(name) ? address(value) : null;
    const foreign =
      to && ["http:", "https:"].includes(to.protocol)
        ? to.origin !== location.origin
        : /evil|javascript:|vbscript:|data:text/i.test(value);
    if (foreign) bad.push(`address ${tag}.${name}=${value.slice(0, 200)}`);
  };
  const element = (node) => {
    const tag = node.localName;
    for (const { name, value } of node.attributes) attribute(tag, name, value);
    const ours = tag === "form" && node.closest('[data-testid="stForm"]');
    if (elements.has(tag) && !ours) bad.push(`element ${tag}`);
    if (tag === "script" || tag === "style") {
      if (/__canary|evil/.test(node.textContent + (node.src || ""))) bad.push(`${tag} element`);
      return;
    }
    // Streamlit makes a class of a widget's key, under a prefix of its own.
    const names = String(node.className?.baseVal ?? node.className ?? "").replace(/st-key-\S+/g, "");
    if (/katex|mermaid/.test(names)) bad.push(`formula ${names}`);
    if (node.shadowRoot) walk(node.shadowRoot);
    walk(node);
  };
  const walk = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.ELEMENT_NODE) element(node);
      if (node.nodeType !== Node.TEXT_NODE) continue;
      seen(node.data, root.nodeName);
      texts.push(node.data);
    }
  };

  walk(document.body);
  if (window.__canary) bad.push(`${window.__canary} scripts ran`);
  if ({}.polluted !== undefined) bad.push("prototype polluted");
  // Streamlit's own front end is allowed these three.
  for (const one of window.__violations) if (!/ (blob|inline|eval)/.test(one)) bad.push(`policy stopped ${one}`);
  return { bad: [...new Set(bad)], text: texts.join("\n") };
}
