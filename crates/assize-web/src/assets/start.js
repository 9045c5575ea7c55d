// The first start: judges the bundled examples and shows them.

import { all, api, say } from "./page.js";

for (const form of all("form[data-demo]")) {
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
