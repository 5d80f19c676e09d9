// The research panel: what was asked, with near-duplicates together, and what became of every site.

function researchPanel(view) {
  const node = el("div", { class: "scroll panel" }, el("p", { class: "mute", text: "Reading the whole trajectory …" }));
  const show = (found) => {
    const jump = (step) => el("button", { class: "jump", text: String(step), title: `open step ${step}`, onclick: () => view.open(step) });
    const repeats = found.queries.reduce((sum, group) => sum + group.length - 1, 0);
    const opened = found.sites.filter((site) => site.pages.length), rest = found.sites.filter((site) => !site.pages.length);
    const cited = rest.filter((site) => site.cited), seen = rest.filter((site) => !site.cited);
    const again = view.data.activity;
    node.replaceChildren(...[
      el("div", { class: "figures" }, ...again.map(([value, label]) => el("div", {}, el("b", { text: value }), ` ${label}`))),
      breadthPlot(view, found.breadth),
      el("h4", { text: `Queries · ${count(found.queries.length + repeats)} distinct${repeats ? `, ${count(repeats)} nearly repeat another` : ""}` }),
      found.grouped ? null : el("p", { class: "mute", text: `Over ${count(found.most)} distinct queries: near-duplicates are not grouped.` }),
      ...windowed(found.queries, (group) => el("div", { class: group.length > 1 ? "query several" : "query" },
        ...group.map((asked, k) => el("div", { class: k ? "again" : "" }, jump(asked.step), el("span", { dir: "auto", text: `${k ? "≈ " : "⌕ "}${asked.text}` }))))),
      el("h4", { text: `Sites opened · ${count(opened.length)}` }),
      ...windowed(opened, (site) => siteRow(site, jump)),
      el("h4", { text: `Cited, never opened · ${count(cited.length)}` }),
      ...windowed(cited, (site) => siteRow(site, jump)),
      el("h4", { text: `Only seen in search results · ${count(seen.length)}` }),
      ...windowed(seen, (site) => siteRow(site, jump)),
    ].filter((child) => child));
  };
  if (view.research) show(view.research);
  else loadResearch(view).then((found) => found && show(found));
  return node;
}

function siteRow(site, jump) {
  return el("div", { class: "site" }, el("b", { text: site.site }),
    site.pages.length ? el("span", { class: "badge opened", text: site.pages.length === 1 ? "1 page" : `${count(site.pages.length)} pages` }) : null,
    site.cited ? el("span", { class: `badge ${site.pages.length ? "cited" : "fault"}`, text: "cited" }) : null,
    site.seen && !site.pages.length ? el("span", { class: "badge", text: "○ seen" }) : null,
    ...windowed(site.pages, (page) => el("span", { class: "page" }, jump(page.step)), 12));
}

// A long list begins with `many`; a click shows all of it.
function windowed(items, draw, many = 100) {
  if (items.length <= many) return items.map(draw);
  const more = el("button", { class: "unfold", text: `show ${count(items.length - many)} more` });
  more.onclick = () => more.replaceWith(...items.slice(many).map(draw));
  return [...items.slice(0, many).map(draw), more];
}

async function loadResearch(view) {
  if (view.research) return view.research;
  try {
    view.research = await (view.researching ||= ask(view, "research"));
    view.drawTimeline?.();
    return view.research;
  } catch (error) {
    view.researching = null;
    fail(view, error);
    return null;
  }
}

// Distinct queries and opened sites over the steps, each with its target as a dashed line where the question has one.
function breadthPlot(view, grown) {
  const W = 560, H = 150, L = 34, B = 22, T = 10, R = 92, root = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "breadth", role: "img", "aria-label": "breadth over the steps" });
  const most = Math.max(1, ...Object.entries(grown).flatMap(([name, steps]) => [steps.length, view.data.breadth[name][1] || 0]));
  const x = (step) => L + ((W - L - R) * step) / Math.max(view.n, 1), y = (value) => H - B - ((H - B - T) * value) / most;
  root.append(svg("path", { d: `M${L} ${T}V${H - B}H${W - R}`, class: "axis" }), svg("text", { x: L - 5, y: T + 8, "text-anchor": "end" }, count(most)),
    svg("text", { x: L - 5, y: H - B, "text-anchor": "end" }, "0"), svg("text", { x: L, y: H - 6 }, "step 0"), svg("text", { x: W - R, y: H - 6, "text-anchor": "end" }, count(view.n)));
  const labels = [];
  for (const [name, steps] of Object.entries(grown)) {
    const target = view.data.breadth[name][1];
    if (target) root.append(svg("path", { d: `M${L} ${y(target)}H${W - R}`, class: `grown ${name} target` }));
    root.append(svg("path", { d: `M${L} ${y(0)}${steps.map((step, k) => `H${x(step).toFixed(1)}V${y(k + 1).toFixed(1)}`).join("")}H${W - R}`, class: `grown ${name}` }));
    labels.push([y(steps.length), `${count(steps.length)} ${name}${target ? ` of ${target}` : ""}`, name]);
  }
  labels.sort((a, b) => a[0] - b[0]);
  labels.forEach((label, k) => { if (k && label[0] - labels[k - 1][0] < 13) label[0] = labels[k - 1][0] + 13; });
  root.append(...labels.map(([at, words, name]) => svg("text", { x: W - R + 5, y: at + 4, class: `label ${name}` }, words)));
  return root;
}
