// The scrolling column: reader mode (the agent's own words and its calls) or all steps. The list is cut into chunks; a
// chunk far from sight is an empty box of the height it had, or is thought to have.

const CHUNK = 24, LINE = 21, PER_LINE = 88, MOST = 400, MOST_ARGUMENT = 1500;

function column(view) {
  const scroller = el("div", { class: "scroll column", tabindex: "0", role: "feed" });
  const self = { node: scroller, mode: null, chunks: [] };
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? fill(entry.target.chunk) : empty(entry.target.chunk);
  }, { root: scroller, rootMargin: "1200px 0px" });

  const guess = (i) => {
    const { words, results } = view.columns;
    const lines = Math.ceil(Math.min(words[i], 6000) / PER_LINE) + (view.columns.tool[i] >= 0 ? 2 : 0);
    const found = self.mode === "steps" ? Math.ceil(Math.min(results[i], 700) / PER_LINE) : 0;
    return 34 + LINE * Math.max(lines + found, 1);
  };

  self.build = (mode) => {
    near.disconnect();
    self.mode = mode;
    const { glyph } = view.columns, own = new Set("svca");
    self.list = [];
    for (let i = 0; i < view.n; i++) if (mode === "steps" || own.has(glyph[i])) self.list.push(i);
    self.chunks = [];
    for (let start = 0; start < self.list.length; start += CHUNK) {
      const items = self.list.slice(start, start + CHUNK);
      const node = el("div", { class: "chunk", style: `height:${items.reduce((sum, i) => sum + guess(i), 0)}px` });
      node.chunk = { items, node, state: "empty" };
      self.chunks.push(node.chunk);
    }
    scroller.replaceChildren(...self.chunks.map((chunk) => chunk.node));
    if (!self.list.length) scroller.append(el("p", { class: "mute", text: "The agent said and called nothing in this trajectory." }));
    self.chunks.forEach((chunk) => near.observe(chunk.node));
  };

  // The agent's own steps may stand far apart, and one answer has an end.
  const bodiesOf = async (chunk) => {
    const found = [], end = chunk.items.at(-1) + 1, only = self.mode === "words" ? { only: "own" } : {};
    for (let from = chunk.items[0]; from < end; from += MOST)
      found.push(...(await ask(view, "steps", { from, to: Math.min(from + MOST, end), ...only })));
    return found;
  };
  const fill = (chunk) => {
    if (chunk.state !== "empty") return chunk.loading;
    chunk.state = "loading";
    chunk.loading = bodiesOf(chunk).then((bodies) => {
      if (chunk.state !== "loading") return;
      const by = new Map(bodies.map((body) => [body.n, body]));
      chunk.node.replaceChildren(...chunk.items.filter((i) => by.has(i)).map((i) => entry(by.get(i))));
      chunk.node.style.height = "";
      chunk.state = "full";
      self.follow();
    }, (error) => { chunk.state = "empty"; fail(view, error); });
    return chunk.loading;
  };
  const empty = (chunk) => {
    if (chunk.state !== "full") return;
    chunk.node.style.height = `${chunk.node.offsetHeight}px`;
    chunk.node.replaceChildren();
    chunk.state = "empty";
  };

  const entry = (body) => {
    const i = body.n, whole = (pick) => async () => {
      try { return pick(await ask(view, "step", { n: i, whole: "1" })); } catch (error) { fail(view, error); return null; }
    };
    const parts = [];
    if (body.reasoning.chars) parts.push(textNode("div", body.reasoning, { more: whole((b) => b.reasoning) }));
    if (body.reasoning.chars) parts.at(-1).classList.add("thought");
    if (body.text.chars) parts.push(textNode("div", body.text, { more: whole((b) => b.text) }));
    for (const [k, call] of body.calls.entries()) {
      const said = argumentsText(call), short = said.length > MOST_ARGUMENT ? `${said.slice(0, MOST_ARGUMENT)}…` : said;
      parts.push(el("button", { class: `call ${call.kind}`, title: "what it gave back", onclick: () => view.openResult(i) },
        el("b", { text: `${CALL[call.kind]} ${call.name}` }), el("span", { dir: "auto", text: short }), k === body.calls.length - 1 ? outcome(i) : null));
      if (short !== said) {
        const button = el("button", { class: "unfold", text: `show all ${count(said.length)} characters of this call` });
        button.onclick = () => button.replaceWith(el("div", { class: "said", dir: "auto" }, ...pieces(said)));
        parts.push(button);
      }
    }
    if (self.mode === "steps")
      body.results.forEach((result, k) => parts.push(el("div", { class: result.error ? "ev bad" : "ev" },
        el("h4", { text: result.error ? "result: failed" : `result · ${size(result.chars)}` }),
        textNode("div", result, { more: whole((b) => b.results[k]) }))));
    const notes = notesUntil(i).map((note) => el("aside", { class: `margin ${note.kind}` }, el("b", { text: note.word }),
      note.step === i ? null : el("small", { text: ` on step ${note.step}` }), ` ${note.text} `, el("small", { text: note.by })));
    const who = body.role === "assistant" ? body.agent : [body.role, body.agent].filter(Boolean).join(" · ");
    const node = el("article", { class: `entry ${PHASES[view.columns.phase[i]]} ${body.role}${i === view.current ? " on" : ""}` },
      el("button", { class: "n", text: String(i), title: "open this step", onclick: () => view.open(i) }), el("div", { class: "words" },
        who ? el("h4", { text: who }) : null, ...parts), ...notes);
    node.step = i;
    return node;
  };

  // A note on a step that the mode leaves out stands at the one before it.
  const notesUntil = (i) => {
    const place = placeOf(i), next = place + 1 < self.list.length ? self.list[place + 1] : view.n, found = [];
    for (let at = i; at < next; at++) found.push(...(view.notesAt.get(at) || []));
    return found;
  };

  // The results of a call stand in the steps behind it, up to the agent's next.
  const outcome = (i) => {
    const { glyph, results } = view.columns;
    let chars = results[i], bad = view.failed.has(i);
    for (let next = i + 1; next < view.n && glyph[next] === "t"; next++) { chars += results[next]; bad ||= view.failed.has(next); }
    return el("small", { class: bad ? "bad" : "", text: bad ? "failed" : chars ? `→ ${size(chars)}` : "" });
  };

  const entries = () => self.chunks.filter((chunk) => chunk.state === "full").flatMap((chunk) => [...chunk.node.children]);
  const placeOf = (i) => clamp(above(self.list, i) - 1, 0, self.list.length - 1);

  // Brings a step to the top. What loads around it must not carry it away: where it was put is held for a moment.
  self.go = async (i) => {
    if (!self.list.length) return;
    const step = self.list[placeOf(i)], chunk = self.chunks[Math.floor(placeOf(i) / CHUNK)];
    const turn = (self.turn = (self.turn || 0) + 1);
    self.holding = step;
    scroller.scrollTop = chunk.node.offsetTop;
    await fill(chunk);
    for (let settle = 0; settle < 12 && self.turn === turn && self.holding === step; settle++) {
      const node = [...chunk.node.children].find((one) => one.step === step);
      if (node) scroller.scrollTop += node.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 8;
      await new Promise((done) => setTimeout(done, settle < 2 ? 16 : 60));
    }
    self.follow();
  };
  // The last steps cannot come to the top: the one gone to stays the place until the reader scrolls.
  const release = () => { self.holding = null; self.turn = (self.turn || 0) + 1; };
  for (const name of ["wheel", "touchmove", "pointerdown"]) scroller.addEventListener(name, release, { passive: true });
  scroller.addEventListener("keydown", (event) => { if (/^(Page|Arrow|Home|End| )/.test(event.key)) release(); });

  // Outline, minimap and address follow what is read.
  self.follow = () => {
    if (!self.mode || self.asked) return;
    self.asked = requestAnimationFrame(() => {
      self.asked = 0;
      if (!self.mode || !scroller.isConnected) return;
      const frame = scroller.getBoundingClientRect();
      const all = entries();
      const seen = all.filter((node) => { const box = node.getBoundingClientRect(); return box.bottom > frame.top + 20 && box.top < frame.bottom; });
      if (!seen.length) return;
      view.shownAt?.(seen[0].step, seen.at(-1).step);
      const top = self.holding ?? seen[0].step;
      for (const node of all) node.classList.toggle("on", node.step === top);
      if (self.holding === null || self.holding === undefined) view.moved(top);
    });
  };
  scroller.onscroll = self.follow;
  self.close = () => { near.disconnect(); self.mode = null; scroller.replaceChildren(); };
  self.next = (i, by) => self.list[clamp(placeOf(i) + by, 0, self.list.length - 1)];
  self.remark = () => { if (self.mode) { self.build(self.mode); self.go(view.current ?? 0); } };
  return self;
}
