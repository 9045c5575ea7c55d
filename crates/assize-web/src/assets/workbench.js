// The workbench: what is wrong with the text is looked up while it is written; writing it can be undone.

import { element, plural, rated } from "./drawing.js";
import { makeEditor } from "./editor.js";
import { api, at, say } from "./page.js";
import { makeTrial } from "./trial.js";

const bench = at("workbench");
const { path, newline } = bench.dataset;
const editor = makeEditor(at("text"), bench.querySelector(".mirror"));
const write = at("write");
const undo = at("undo");

// A text area knows only one kind of line end; a file that has the other keeps it.
const toFile = (text) => (newline === "crlf" ? text.replaceAll("\n", "\r\n") : text);
const fromFile = (text) => text.replaceAll("\r\n", "\n");

let saved = editor.area.value;
let fingerprint = bench.dataset.fingerprint;
let previous = null;
const text = () => toFile(editor.area.value);
const changed = () => editor.area.value !== saved;

/* What is wrong with it */

let asked = 0;
async function look() {
  const mine = ++asked;
  let found;
  try {
    found = await api("POST", "/lint", { path, text: text() });
  } catch (error) {
    if (mine === asked) at("findings").replaceChildren(element("p", {}, error.message));
    return;
  }
  // The text has been changed since: another answer is on its way.
  if (mine !== asked) return;
  editor.mark(found.findings);
  showFindings(found);
  at("parts").replaceChildren(...found.parts.map(part));
  showChanges(found.changes);
  bench.dataset.looked = String(mine);
}

const RATINGS = { error: "fail", warning: "acceptable", note: "note" };

function showFindings({ findings, elsewhere }) {
  const counts = [];
  for (const severity of Object.keys(RATINGS)) {
    const count = findings.filter((found) => found.severity === severity).length;
    if (count) counts.push(rated(RATINGS[severity], plural(count, severity)));
  }
  if (!findings.length) counts.push(rated("good", "none"));
  at("counts").replaceChildren(...counts);
  const shown = findings.map((found) => finding(found, () => editor.go(found.line, found.column, found.length)));
  if (!findings.length) shown.push(element("p", { class: "faint" }, "Nothing is wrong with this text."));
  if (elsewhere.length) {
    const others = elsewhere.map(({ path: other, finding: found }) => element("li", {},
      element("a", { href: `/rubrics/file?path=${encodeURIComponent(other)}#L${found.line}` }, other.split("/").at(-1)),
      ` line ${found.line}: `, rated(RATINGS[found.severity], found.severity), ` ${found.code ?? ""} ${found.message}`));
    shown.push(element("details", { class: "small", open: findings.length === 0 },
      element("summary", {}, `${plural(elsewhere.length, "finding")} in other files of the tree`), element("ul", {}, others)));
  }
  at("findings").replaceChildren(...shown);
}

function finding(found, go) {
  const { line, code, rule, severity, message, help, why } = found;
  return element("div", { class: "finding", "data-severity": severity, "data-line": line, "data-code": code ?? "" },
    element("button", { type: "button", class: "quiet to-line", onclick: go }, `Line ${line}`), " ",
    rated(RATINGS[severity], severity), " ",
    code && element("b", {}, code), code && " ", rule && element("span", { class: "faint" }, rule), rule && " ", message,
    help && element("div", { class: "small" }, element("b", {}, "Instead: "), help),
    why && element("details", { class: "small" }, element("summary", {}, "Why"), element("p", {}, why)));
}

function part({ title, key, line, blocks: held }) {
  const go = (event) => { event.preventDefault(); editor.go(line, 1); };
  return element("section", { class: "file-part" },
    element("h3", {}, title, " ", element("a", { href: "#text", class: "faint small", title: `Line ${line}`, onclick: go }, element("code", {}, key))),
    ...blocks(held));
}

function blocks(held) {
  const shown = held.filter(({ label }) => label === "").map(({ text }) => element("p", { class: "words" }, text));
  const isField = (label) => !/^(•|Example|\d.*)$/.test(label);
  const items = held.filter(({ label }) => label !== "").map(({ label, text, below }) => element("li", { class: isField(label) && "key" },
    element("span", { class: "label" }, label), element("div", {}, element("span", { class: "words" }, text), ...blocks(below))));
  if (items.length) shown.push(element("ul", { class: "file-items" }, items));
  return shown;
}

function showChanges(diff) {
  const lines = diff.split("\n").slice(2, -1);
  const kinds = { "+": "ins", "-": "del", "@": "b" };
  const made = lines.map((line) => element(kinds[line[0]] ?? "span", {}, `${line}\n`));
  const count = lines.filter((line) => line[0] === "+" || line[0] === "-").length;
  at("changes-count").textContent = count ? plural(count, "line") : "none";
  at("changes").replaceChildren(made.length ? element("pre", { class: "diff", tabindex: "0" }, made) : element("p", { class: "faint" }, "The text is the one in the file."));
}

/* Writing it */

function showState(words) {
  if (write) write.disabled = !changed();
  if (undo) undo.hidden = previous === null;
  if (write) at("state").textContent = words ?? (changed() ? "Not written yet." : "No changes.");
}

async function put(next) {
  const written = await api("PUT", "/rubrics/file", { path, text: next, base: fingerprint });
  fingerprint = written.fingerprint;
  previous = written.previous;
  saved = fromFile(next);
  at("conflict").hidden = true;
}

async function attempt(next, words) {
  if (write) write.disabled = true;
  try {
    await put(next);
    showState(words);
    look();
  } catch (error) {
    at("conflict").textContent = error.message;
    at("conflict").hidden = false;
    showState();
  }
}

write?.addEventListener("click", () => attempt(text(), "Written."));
undo?.addEventListener("click", async () => {
  const untouched = !changed();
  const back = previous;
  await attempt(back, "The earlier text is in the file again.");
  // What was written since stays in the text area: it is nobody's to throw away.
  if (untouched && saved === fromFile(back)) { editor.set(saved); showState("The earlier text is in the file again."); }
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    if (write && changed()) attempt(text(), "Written.");
    else say(write ? "There is nothing to write." : "The example is not written.");
  }
});

addEventListener("beforeunload", (event) => { if (write && changed()) event.preventDefault(); });

let waiting;
editor.area.addEventListener("input", () => {
  showState();
  clearTimeout(waiting);
  waiting = setTimeout(look, 180);
});

makeTrial({ path, text });
look();
