// Keys that work on every page.

import { all, at, first } from "./page.js";

const dialog = at("keys");
at("keys-button")?.addEventListener("click", () => dialog.showModal());

const isWriting = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

let afterG = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || dialog?.open) return;
  if (afterG) {
    afterG = false;
    const link = first(`nav a[data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  const moves = { j: "next", k: "previous", u: "up" };
  if (event.key === "?") dialog.showModal();
  else if (event.key === "g") afterG = true;
  else if (event.key === "/") {
    const search = first("[data-search]");
    if (search) { event.preventDefault(); search.focus(); search.select(); }
  } else if (event.key in moves) {
    const link = first(`a[data-move="${moves[event.key]}"]`);
    if (link) link.click();
    else if (event.key !== "u") moveRow(event.key === "j" ? 1 : -1);
  }
});

/** Moves the focus from row to row of the list. */
function moveRow(step) {
  const links = all("tr[data-row] a.main");
  const at = links.indexOf(document.activeElement);
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
}

// A choice in a filter takes effect at once; the button is for those without scripts.
for (const form of all("form.filters")) {
  form.addEventListener("change", (event) => { if (event.target.matches("select, [type=checkbox]")) form.requestSubmit(); });
}
