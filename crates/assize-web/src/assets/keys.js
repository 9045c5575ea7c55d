// Keys that work on every page, and a line for what scripts have to say.

const token = document.querySelector('meta[name="assize-token"]')?.content ?? "";

/** Says something where readers of the screen hear it too. */
export function say(text, kind = "") {
  const said = document.getElementById("said");
  said.textContent = text;
  said.dataset.kind = kind;
  clearTimeout(say.timer);
  if (kind !== "error") say.timer = setTimeout(() => { said.textContent = ""; }, 6000);
}

/** Asks the API, until a signal says that nobody waits any more. Throws an Error whose message is a sentence. */
export async function api(method, path, body, signal) {
  const options = { method, signal, headers: { "x-assize-token": token, accept: "application/json" } };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch("/api/v1" + path, options);
  } catch {
    throw new Error("The server cannot be reached. Is `assize serve` still running?");
  }
  const text = await response.text();
  const drawn = response.headers.get("content-type")?.startsWith("text/html");
  const value = text === "" ? null : drawn ? text : JSON.parse(text);
  if (!response.ok) {
    const { message, help } = value?.error ?? { message: `The server answered ${response.status}.` };
    throw Object.assign(new Error(help ? `${message} ${help}` : message), { problems: value?.error?.problems ?? [] });
  }
  return value;
}

const dialog = document.getElementById("keys");
document.getElementById("keys-button")?.addEventListener("click", () => dialog.showModal());

const isWriting = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

let afterG = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || dialog?.open) return;
  if (afterG) {
    afterG = false;
    const link = document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  const moves = { j: "next", k: "previous", u: "up" };
  if (event.key === "?") dialog.showModal();
  else if (event.key === "g") afterG = true;
  else if (event.key === "/") {
    const search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); search.select(); }
  } else if (event.key in moves) {
    const link = document.querySelector(`a[data-move="${moves[event.key]}"]`);
    if (link) link.click();
    else if (event.key !== "u") moveRow(event.key === "j" ? 1 : -1);
  }
});

/** Moves the focus from row to row of the list. */
function moveRow(step) {
  const links = [...document.querySelectorAll("tr[data-row] a.main")];
  const at = links.indexOf(document.activeElement);
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
}

// A choice in a filter takes effect at once; the button is for those without scripts.
for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("change", (event) => { if (event.target.matches("select, [type=checkbox]")) form.requestSubmit(); });
}
