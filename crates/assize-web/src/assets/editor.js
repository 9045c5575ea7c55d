// A text area with line numbers. Behind the text lies a mirror of it, wrapped in the same way, whose lines carry their
// numbers and what was found in them; so the numbers stay beside their lines however the text wraps.

/**
 * Where a place of a text begins and ends for a text area. Lines and columns count from one, and columns count
 * characters; a text area counts UTF-16 units.
 * @param {string[]} lines
 * @param {number} line
 * @param {number} column
 * @param {number} length
 * @returns {[number, number]}
 */
export function range(lines, line, column, length) {
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const characters = Array.from(lines[line - 1] ?? "");
  const start = before + characters.slice(0, column - 1).join("").length;
  return [start, start + characters.slice(column - 1, column - 1 + length).join("").length];
}

/** Makes an editor of a text area and its mirror. */
export function makeEditor(area, mirror) {
  let lines = [];

  const reflect = () => {
    const now = area.value.split("\n");
    while (mirror.children.length > now.length) mirror.lastChild.remove();
    for (let at = 0; at < now.length; at++) {
      if (at >= mirror.children.length) mirror.append(document.createElement("div"));
      if (lines[at] !== now[at] || at >= lines.length) mirror.children[at].textContent = now[at];
    }
    lines = now;
  };

  // Tab indents, as in any editor of code; Esc gives it back its other meaning once, so that nobody is caught.
  let leaving = false;
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { leaving = true; return; }
    if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      indent(event.shiftKey);
    }
    if (event.key !== "Shift") leaving = false;
  });
  area.addEventListener("blur", () => { leaving = false; });

  /** Writes over a selection so that the browser's own undo knows of it. */
  const insert = (text) => {
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };

  const indent = (back) => {
    const { selectionStart: start, selectionEnd: end, value } = area;
    if (!back && start === end) { insert("  "); return; }
    const from = value.lastIndexOf("\n", start - 1) + 1;
    const block = value.slice(from, end);
    const moved = block.split("\n").map((line) => (back ? line.replace(/^ {1,2}/, "") : `  ${line}`)).join("\n");
    if (moved === block) return;
    area.setSelectionRange(from, end);
    insert(moved);
    area.setSelectionRange(from, from + moved.length);
  };

  area.addEventListener("input", reflect);
  reflect();

  return {
    area,
    /** Puts another text in. */
    set(text) { area.value = text; reflect(); area.dispatchEvent(new Event("input", { bubbles: true })); },
    /** Marks the lines that something was found in. */
    mark(findings) {
      for (const line of mirror.children) line.removeAttribute("data-severity");
      for (const { line, severity } of findings.toReversed()) {
        const marked = mirror.children[Math.min(line, mirror.children.length) - 1];
        if (marked && marked.dataset.severity !== "error") marked.dataset.severity = severity;
      }
    },
    /** Puts the cursor at a place, and the place into view. */
    go(line, column, length = 0) {
      area.focus({ preventScroll: true });
      area.setSelectionRange(...range(lines, line, column, length));
      mirror.children[Math.min(line, mirror.children.length) - 1]?.scrollIntoView({ block: "center" });
    },
  };
}
