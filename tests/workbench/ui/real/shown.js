// The step in the evidence card, unfolded: its texts in their order, names of tools, arguments of calls as they stand.
async ([n, role]) => {
  const roots = () => [document, ...[...document.querySelectorAll("*")].map((one) => one.shadowRoot).filter(Boolean)];
  const find = (what) => roots().map((one) => one.querySelector(what)).find(Boolean);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let tries = 0; !find(".evidence h3")?.textContent.startsWith(`Step ${n} · ${role}`); tries++) {
    if (tries > 6000) throw new Error(`step ${n} is not shown; the card says ${find(".evidence h3")?.textContent}`);
    await wait(10);
  }
  const detail = find(".detail");
  for (let button; (button = detail.querySelector("button.unfold:not([disabled])")); await wait(0)) button.click();
  const all = (what) => [...detail.querySelectorAll(what)].map((one) => one.textContent);
  return { texts: all(".said"), calls: all("pre"), names: all("h4").filter((one) => one.startsWith("calls ")) };
}
