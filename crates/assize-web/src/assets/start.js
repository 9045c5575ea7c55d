// The first start: judges the bundled examples and shows them.

import { api, say } from "./keys.js";

for (const form of document.querySelectorAll("form[data-demo]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    say("Judging the examples …");
    try {
      await api("POST", "/demo");
      location.assign("/");
    } catch (error) {
      say(error.message, "error");
      button.disabled = false;
    }
  });
}
