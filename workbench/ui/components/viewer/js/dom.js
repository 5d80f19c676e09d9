// The trajectory viewer. Text of a trajectory is only ever set through textContent; the report's HTML was made
// server-side by a renderer that escapes everything (report_html.py). The files of this folder are one module: mount.py
// joins them in its order.

const el = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};
const SVG = "http://www.w3.org/2000/svg";
const svg = (tag, attributes, text) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const PHASES = { p: "plan", r: "research", s: "synthesis" };
const count = (n) => n.toLocaleString("en");
const size = (chars) => (chars < 1000 ? `${chars} ch` : `${(chars / 1000).toFixed(1)}k ch`);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// One part of the trajectory, from the server that the page came from (serving.py).
async function ask(view, part, query = {}) {
  const { token, id } = view.data;
  const address = `${location.pathname.replace(/[^/]*$/, "")}viewer/${token}/${id}/${part}?${new URLSearchParams(query)}`;
  let reply;
  try {
    reply = await fetch(address, { headers: { accept: "application/json" } });
  } catch {
    throw new Error("The server does not answer; is it still running?");
  }
  if (!(reply.headers.get("content-type") || "").startsWith("application/json"))
    throw new Error("This server does not serve steps; start the app with `streamlit run app.py`.");
  const found = await reply.json();
  if (!reply.ok) throw new Error(found.error);
  return found;
}

// Where one is, in the address: it is the link to send. `null` takes a name out.
function address(view, values) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) value === null ? query.delete(name) : query.set(name, value);
  clearTimeout(view.addressTimer);
  // Browsers bound how often an address may change; while one scrolls, the last place is enough.
  Object.assign((view.addressTo ||= {}), values);
  view.addressTimer = setTimeout(() => {
    const last = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(view.addressTo)) value === null ? last.delete(name) : last.set(name, value);
    view.addressTo = {};
    history.replaceState(history.state, "", `${location.pathname}?${last}${location.hash}`);
  }, 150);
}

function fail(view, error) {
  view.said.textContent = String(error.message || error);
  view.said.classList.add("on");
}
function tell(view, words) {
  view.said.textContent = words;
  view.said.classList.add("on");
  clearTimeout(view.saidTimer);
  view.saidTimer = setTimeout(() => view.said.classList.remove("on"), 4000);
}

// The first index at which an ascending list exceeds `value`.
function above(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
