// What the scripts of every page use: finding an element, asking the server, telling the user.

/**
 * The element with an id. Its kind is in the markup, which the server writes.
 * @param {string} id
 * @returns {any}
 */
export const at = (id) => document.getElementById(id);

/**
 * The first element that a selector finds in the page or in a part of it.
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {any}
 */
export const first = (selector, within = document) => within.querySelector(selector);

/**
 * Every element that a selector finds.
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {any[]}
 */
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/**
 * The fields of a form; none of ours takes files.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export const fields = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

let fading;

/**
 * Says something where readers of the screen hear it too.
 * @param {string} text
 * @param {"" | "error"} kind an error stays until the next message
 */
export function say(text, kind = "") {
  const said = at("said");
  said.textContent = text;
  said.dataset.kind = kind;
  clearTimeout(fading);
  if (kind !== "error") fading = setTimeout(() => { said.textContent = ""; }, 6000);
}

/** What the server refused, in a sentence, with the places of what is wrong. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {any[]} problems
   */
  constructor(message, problems) {
    super(message);
    this.problems = problems;
  }
}

/**
 * Asks the API. Throws an Error whose message is a sentence.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body] sent as JSON
 * @param {AbortSignal} [signal] aborted when the answer is no longer wanted
 * @returns {Promise<any>} JSON, or markup where the server draws
 */
export async function api(method, path, body, signal) {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(`/api/v1${path}`, { method, signal, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Error("The server cannot be reached. Is `assize serve` still running?");
  }
  const text = await response.text();
  const drawn = response.headers.get("content-type")?.startsWith("text/html");
  const value = text === "" ? null : drawn ? text : JSON.parse(text);
  if (!response.ok) {
    const { message, help } = value?.error ?? { message: `The server answered ${response.status}.` };
    throw new Refused(help ? `${message} ${help}` : message, value?.error?.problems ?? []);
  }
  return value;
}
