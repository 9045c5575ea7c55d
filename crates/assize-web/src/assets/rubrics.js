// New rubric files: each form says what to begin with, and leads to the workbench on what was written.

import { all, api, at, fields, first, say } from "./page.js";

for (const form of all("form[data-new]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const template = form.dataset.new;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const { path } = await api("POST", "/rubrics/new", { template, ...fields(form) });
      const page = template === "example" ? "/rubrics" : `/rubrics/edit?path=${encodeURIComponent(path)}`;
      location.assign(page);
    } catch (error) {
      say(error.message, "error");
      button.disabled = false;
    }
  });
}

// A question's name is proposed from what is asked, until somebody writes one.
const about = first('form[data-new="behaviour"] [name="about"]');
if (about) {
  const path = about.form.elements.path;
  let proposed = "";
  about.addEventListener("input", () => {
    if (path.value !== proposed) return;
    const small = ["whether", "the", "a", "an", "is", "are", "of", "that", "and", "in", "does", "do", "note", "output"];
    const words = about.value.toLowerCase().match(/[a-z0-9]+/g)?.filter((word) => !small.includes(word)) ?? [];
    proposed = words.length ? `${words.slice(0, 4).join("_")}_prompt.md` : "";
    path.value = proposed;
  });
}

// The link to begin a new rubric opens its fold.
const fold = at("new");
const openFold = () => { if (fold && location.hash === "#new") fold.open = true; };
openFold();
addEventListener("hashchange", openFold);
