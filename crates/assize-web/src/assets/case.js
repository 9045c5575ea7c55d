// A case: what belongs together lights up together; what people say of a judgment is sent.

import { all, api, fields, say } from "./page.js";

const linked = (element) => element?.closest?.("[data-link]");
const partners = (element) => element.dataset.link.split(" ").flatMap(
  (link) => [...document.querySelectorAll(`[data-link~="${CSS.escape(link)}"]`)],
);

let lit = [];
function light(element) {
  for (const old of lit) old.classList.remove("lit");
  lit = element ? partners(element) : [];
  for (const partner of lit) partner.classList.add("lit");
}

/** Brings the partners of an element into sight, each within its own pane. */
function show(element) {
  for (const partner of partners(element)) {
    const pane = partner.closest(".text");
    if (partner === element || !pane) continue;
    const [inside, around] = [partner.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (inside.top < around.top || inside.bottom > around.bottom) pane.scrollTop += inside.top - around.top - around.height / 3;
  }
}

document.addEventListener("pointerover", (event) => light(linked(event.target) ?? linked(document.activeElement)));
document.addEventListener("focusin", (event) => {
  const element = linked(event.target);
  light(element);
  if (element) show(element);
});
document.addEventListener("click", (event) => {
  const element = linked(event.target);
  if (element) show(element);
});

/** Goes from one marked difference to the next: each link once, where it is first in the page. */
function step(by) {
  const seen = new Set();
  const stops = all(".text [data-link]").filter((element) => {
    const fresh = !seen.has(element.dataset.link);
    seen.add(element.dataset.link);
    return fresh;
  });
  if (stops.length === 0) return;
  const at = stops.findIndex((element) => element.dataset.link === linked(document.activeElement)?.dataset.link);
  const next = at < 0 ? (by > 0 ? 0 : stops.length - 1) : (at + by + stops.length) % stops.length;
  stops[next].focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (/** @type {Element} */ (event.target).closest("input, textarea, select, [contenteditable]")) return;
  if (event.key === "n") step(1);
  else if (event.key === "p") step(-1);
});

async function change(button, method, path, body) {
  button.disabled = true;
  try {
    await api(method, path, body);
    location.reload();
  } catch (error) {
    say(error.message, "error");
    button.disabled = false;
  }
}

const remembered = "assize-name";
for (const form of all("form[data-correct]")) {
  const name = form.querySelector("[data-name]");
  name.value = localStorage.getItem(remembered) ?? "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value, corrected, note, by_whom } = fields(form);
    localStorage.setItem(remembered, by_whom);
    const said = { value, note, by_whom, corrected: value === "wrong" && corrected ? corrected : null };
    change(form.querySelector("button"), "POST", form.dataset.correct, said);
  });
}
for (const button of all("[data-withdraw]")) {
  button.addEventListener("click", () => change(button, "DELETE", button.dataset.withdraw));
}
