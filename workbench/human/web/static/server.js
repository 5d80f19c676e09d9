// The four requests of the page. A lost connection is told apart from a refusal: the first is tried again.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(method, path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      redirect: "error",
    });
  } catch {
    throw new Error("no connection");
  }
  if (answer.status === 204) return null;
  const text = await answer.json().catch(() => ({}));
  if (answer.status >= 500) throw new Error("the server is not ready");
  if (!answer.ok) throw new Refused(answer.status, text.error ?? `refused (${answer.status})`);
  return text;
}

export const desk = () => ask("GET", "/api/desk");
export const cast = (ballot, key) => ask("POST", "/api/ballots", ballot, { "Idempotency-Key": key });
export const undo = () => ask("POST", "/api/undo", {});
export const keep = (assignment, draft) => ask("PUT", `/api/drafts/${encodeURIComponent(assignment)}`, draft);

/** Sends a draft from a page that is going away. */
export function keepOnLeaving(assignment, draft) {
  fetch(`/api/drafts/${encodeURIComponent(assignment)}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(draft),
    credentials: "same-origin",
    keepalive: true,
  }).catch(() => {});
}

/** Tries again while there is no connection; `waiting` is told before each pause. A refusal is thrown at once. */
export async function persist(work, waiting) {
  for (let pause = 1; ; pause = Math.min(pause * 2, 15)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refused) throw error;
      waiting(error.message, pause);
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    }
  }
}

/** A key no other ballot has. (crypto.randomUUID exists on secure origins only; a local network is none.) */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
