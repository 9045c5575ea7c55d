// The judge's settings: gathers them from the controls, sends them as they stand, and puts what comes back in its place.

import { range } from "./editor.js";
import { all, api, at, first, say } from "./page.js";

const page = at("settings");
const { judge, name, profile } = page.dataset;
const saved = JSON.parse(page.dataset.saved);
const whatIf = "whatIf" in page.dataset;
const hasCurve = "curve" in page.dataset;
const text = at("settings-json");
const controls = at("controls");
const fold = at("question-fold");
const questionCase = at("question-case");

// ---- From the controls to JSON

const split = (list, by) => list.split(by).map((part) => part.trim()).filter((part) => part !== "");

/** The names that are checked or typed. */
function names(list) {
  const checked = [...list.querySelectorAll("input:checked")].map((box) => box.value);
  return [...new Set([...checked, ...split(list.querySelector("[data-others]").value, ",")])];
}

/** How a control of each kind is read; undefined is a setting that is not set. */
const kinds = {
  switch: (control) => control.checked,
  text: (control) => control.value,
  "optional-text": (control) => (control.value.trim() === "" ? undefined : control.value),
  number: (control) => (control.value === "" ? undefined : Number(control.value)),
  lines: (control) => split(control.value, "\n"),
  json: (control) => JSON.parse(control.value),
  names: (control) => names(control),
  "names-within": (control) => {
    if (control.querySelector("[type=radio][value=all]").checked) return names(control.querySelector("[data-mode=all]"));
    const lists = [...control.querySelectorAll("[data-within]")].map((list) => [list.dataset.within, names(list)]);
    return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
  },
};

/** The settings as the controls have them. */
function gather() {
  const settings = {};
  for (const control of controls.querySelectorAll("[data-setting]")) {
    let value;
    try {
      value = kinds[control.dataset.kind](control);
      control.removeAttribute("aria-invalid");
    } catch {
      control.setAttribute("aria-invalid", "true");
      say("This is no JSON yet.", "error");
      return undefined;
    }
    const path = control.dataset.setting.split("/");
    let place = settings;
    for (const key of path.slice(0, -1)) place = place[key] ??= {};
    if (value !== undefined) place[path.at(-1)] = value;
  }
  return settings;
}

const written = (settings) => JSON.stringify(settings, null, 2);

controls.addEventListener("input", (event) => {
  const control = event.target;
  const twin = control.dataset.twin;
  if (twin) at(twin).value = control.value;
  else if (control.id) {
    const slider = controls.querySelector(`[data-twin="${control.id}"]`);
    if (slider && control.value !== "") slider.value = control.value;
  }
  if (control.type === "radio") {
    for (const mode of control.closest("[data-setting]").querySelectorAll("[data-mode]")) mode.hidden = mode.dataset.mode !== control.value;
  }
  const settings = gather();
  if (settings === undefined) return;
  text.value = written(settings);
  drawAll();
});
controls.addEventListener("change", remember);
controls.addEventListener("submit", (event) => event.preventDefault());

text.addEventListener("input", () => drawAll(["controls"]));
text.addEventListener("change", remember);

// ---- Drawing

let wanted = new Set();
let after = new Set();
let busy = false;

/** Everything that depends on the settings. The curve comes behind the figures: it may take a moment. */
function drawAll(more = []) {
  const parts = ["changes", "run", ...more];
  if (whatIf) parts.push("figures", "flips");
  if (page.dataset.beside) parts.push("beside");
  if (fold.open) parts.push("question");
  draw(parts, hasCurve ? ["curve"] : []);
}

/** Asks for parts. Only one request is under way; what was asked meanwhile goes out once, with the settings as they are then. */
async function draw(parts, behind = []) {
  for (const part of parts) wanted.add(part);
  for (const part of behind) after.add(part);
  if (busy) return;
  busy = true;
  page.setAttribute("aria-busy", "true");
  while (wanted.size > 0 || after.size > 0) {
    if (wanted.size === 0) [wanted, after] = [after, new Set()];
    const now = [...wanted];
    wanted = new Set();
    try {
      put(await api("POST", `/judges/${encodeURIComponent(judge)}/drawn`, draft(now)));
    } catch (error) {
      say(error.message, "error");
      after = new Set();
    }
  }
  page.removeAttribute("aria-busy");
  busy = false;
}

function draft(parts) {
  return {
    profile, text: text.value, parts, run: page.dataset.run, beside: page.dataset.beside,
    case: Math.max(1, Math.trunc(Number(questionCase.value)) || 1),
  };
}

/** Puts parts in the place of those that are there. */
function put(html) {
  const drawn = new DOMParser().parseFromString(html, "text/html");
  for (const part of all("[data-part]", drawn)) {
    const old = document.querySelector(`[data-part="${part.dataset.part}"]`);
    // The curve comes along inside of the controls.
    if (!old || !document.contains(old) || part.parentElement.closest("[data-part]")) continue;
    for (const details of old.querySelectorAll("details[id][open]")) part.querySelector(`#${details.id}`)?.setAttribute("open", "");
    old.replaceWith(part);
  }
  settle();
}

/** Brings the buttons in line with what is shown. */
function settle() {
  const wrong = document.querySelector("[data-part=problems]").hasAttribute("data-wrong");
  const changes = Number(first("[data-part=changes]").dataset.changes);
  text.setAttribute("aria-invalid", String(wrong));
  for (const button of page.querySelectorAll("[data-do=save]")) button.disabled = wrong || changes === 0;
  for (const button of page.querySelectorAll("[data-do=save-as], [data-do=export]")) button.disabled = wrong;
  for (const button of page.querySelectorAll("[data-do=discard]")) button.disabled = !wrong && changes === 0;
  const said = document.querySelector("[data-part=flips] [data-said]");
  at("moved").textContent = said?.textContent ?? "";
}

// ---- The address: what is not saved is in it, so that a reload or a link shows the same

const query = () => new URLSearchParams(location.search);

const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
    : value;

function remember() {
  let settings;
  try { settings = JSON.parse(text.value); } catch { return; }
  const changed = Object.entries(settings).filter(([key, value]) => !same(value, saved[key]));
  const address = query();
  address.delete("deleted");
  if (changed.length > 0) address.set("edit", JSON.stringify(Object.fromEntries(changed)));
  else address.delete("edit");
  history.replaceState(null, "", `${location.pathname}?${address}`);
}

/** Goes to the same page with some of its address changed. */
function go(changed, told = "") {
  const address = query();
  for (const [key, value] of Object.entries({ edit: "", deleted: "", ...changed })) {
    if (value) address.set(key, value);
    else address.delete(key);
  }
  if (judge) address.set("judge", judge);
  if (told) sessionStorage.setItem("assize-told", told);
  location.assign(`${location.pathname}?${address}`);
}

at("profile").addEventListener("change", (event) => go({ profile: event.target.value }));
at("run")?.addEventListener("change", (event) => {
  const address = query();
  go({ run: event.target.value, case: "", edit: address.get("edit") ?? "" });
});
at("beside").addEventListener("change", (event) => {
  page.dataset.beside = event.target.value;
  const address = query();
  if (event.target.value) address.set("beside", event.target.value);
  else address.delete("beside");
  history.replaceState(null, "", `${location.pathname}?${address}`);
  draw(["beside"]);
});

// ---- What can be done

const profiles = (of) => `/profiles/${encodeURIComponent(of)}`;

async function save(as, settings) {
  const { version, new: made } = await api("POST", profiles(as), { judge, settings });
  go({ profile: as }, made ? `Saved ${as}@${version}.` : `${as}@${version} holds just that already.`);
}

/** A name that nobody has: for copies. */
function free(of) {
  const taken = all("#profile option").map((option) => option.value);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? `${of} copy` : `${of} copy ${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

const dialog = at("save-as");
const dialogName = at("save-as-name");
const dialogWrong = at("save-as-wrong");
const file = at("import-file");
const plain = name.startsWith("@") ? judge : name;

const actions = {
  save: () => save(name, JSON.parse(text.value)),
  "save-as": () => {
    const { nameKey } = page.dataset;
    const own = nameKey && JSON.parse(text.value)[nameKey];
    dialogName.value = own && own !== saved[nameKey] ? own : "";
    dialogWrong.hidden = true;
    dialog.showModal();
  },
  cancel: () => dialog.close(),
  duplicate: () => save(free(plain), saved),
  discard: () => go({ profile }),
  delete: async () => {
    await api("DELETE", profiles(name));
    go({ profile: "", beside: page.dataset.beside === name ? "" : page.dataset.beside, deleted: name });
  },
  "bring-back": async (button) => {
    await api("POST", `${profiles(button.dataset.profile)}/restore`, {});
    go({ profile: button.dataset.profile }, `${button.dataset.profile} is back.`);
  },
  restore: async (button) => {
    const { version } = await api("POST", `${profiles(name)}/restore`, { version: Number(button.dataset.version) });
    go({ profile: name }, `Version ${button.dataset.version} is restored as ${name}@${version}.`);
  },
  reset: (button) => {
    const settings = JSON.parse(text.value);
    if (button.dataset.key in saved) settings[button.dataset.key] = saved[button.dataset.key];
    else delete settings[button.dataset.key];
    text.value = written(settings);
    remember();
    drawAll(["controls"]);
    controls.querySelector("input:not([type=hidden])")?.focus();
  },
  export: () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text.value.trim()}\n`], { type: "application/json" }));
    link.download = `${plain}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  },
  import: () => file.click(),
};

page.addEventListener("click", async (event) => {
  const place = event.target.closest("[data-line]");
  if (place?.matches("button")) select(place.dataset);
  const button = event.target.closest("[data-do]");
  if (!button) return;
  try {
    await actions[button.dataset.do](button);
  } catch (error) {
    say(error.message, "error");
  }
});

dialog.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await save(dialogName.value.trim(), JSON.parse(text.value));
  } catch (error) {
    dialogWrong.textContent = error.message;
    dialogWrong.hidden = false;
    dialogName.focus();
  }
});

file.addEventListener("change", async () => {
  const [chosen] = file.files;
  file.value = "";
  if (!chosen) return;
  text.value = (await chosen.text()).trim();
  remember();
  drawAll(["controls"]);
  say(`${chosen.name} is shown and not saved yet.`);
});

/** Marks a place of the JSON. */
function select({ line, column, length }) {
  text.focus();
  text.setSelectionRange(...range(text.value.split("\n"), Number(line), Number(column), Number(length)));
}

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
  event.preventDefault();
  const button = page.querySelector("[data-do=save]:not(:disabled)") ?? page.querySelector("[data-do=save-as]");
  if (!dialog.open) button?.click();
});

fold.addEventListener("toggle", () => { if (fold.open) draw(["question"]); });
questionCase.addEventListener("input", () => {
  const address = query();
  address.set("case", questionCase.value);
  history.replaceState(null, "", `${location.pathname}?${address}`);
  draw(["question"]);
});

// ---- At the start

const told = sessionStorage.getItem("assize-told");
if (told) {
  sessionStorage.removeItem("assize-told");
  say(told);
}
settle();
if ("later" in page.dataset) drawAll(["controls"]);
else if (document.querySelector("[data-part=curve][data-later]")) draw(["curve"]);
if (fold.open) draw(["question"]);
