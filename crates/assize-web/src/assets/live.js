// A run as it goes on: keeps the page up to date, and pauses, resumes, cancels and starts again.

import { element } from "./drawing.js";
import { count, dollars, duration, figure } from "./numbers.js";
import { api, at, say } from "./page.js";

const page = at("live");
const run = page.dataset.run;
const address = `/runs/${encodeURIComponent(run)}`;

/** As many finished cases as the page shows. */
const SHOWN = 20;

const cell = (text, kind) => element("td", { class: kind }, text);

function show(progress, whole) {
  const { state, status, cases, questions } = progress;
  Object.assign(page.dataset, { state, status });
  const notice = at("state");
  const unfinished = state === "ended" ? leftOver(status, cases.failed) : state !== "running";
  notice.dataset.kind = unfinished ? "warning" : "";
  const words = notice.querySelector("p");
  // Said again only when it changes: it is read out.
  if (words.textContent !== progress.sentence) words.textContent = progress.sentence;
  at("bar").max = Math.max(cases.total, 1);
  at("bar").value = cases.done;
  at("done").textContent = `${count(cases.done)} of ${count(cases.total)} cases`;
  const spent = dollars(progress.cost_usd);
  const figures = {
    rate: progress.rate === null ? "–" : `${progress.rate.toFixed(1)} cases/s`,
    left: progress.remaining_ms === null ? "–" : duration(progress.remaining_ms),
    elapsed: duration(progress.elapsed_ms),
    failed: count(cases.failed),
    answered: count(questions.answered),
    cached: count(questions.cached),
    retries: count(questions.retries),
    spent: progress.max_cost_usd === null ? spent : `${spent} of ${dollars(progress.max_cost_usd)}`,
  };
  for (const [name, value] of Object.entries(figures)) page.querySelector(`[data-live="${name}"]`).textContent = value;
  if (at("spending")) at("spending").value = progress.cost_usd ?? 0;
  at("failures").hidden = progress.failures.length === 0;
  at("failure-rows").replaceChildren(...progress.failures.map(
    ({ count: number, about, last }) => element("tr", {}, cell(count(number), "number"), cell(about), cell(last, "last"))));
  showRecent(progress.recent, whole);
  showControls(state, leftOver(status, cases.failed));
}

/** Whether there is something to go on with. */
const leftOver = (status, failed) => status !== "complete" || failed > 0;

function showRecent(recent, whole) {
  const rows = at("recent-rows");
  if (whole) rows.replaceChildren();
  for (const finished of [...recent].reverse()) {
    // One that a snapshot told already comes again with the next event.
    if (rows.querySelector(`[data-position="${finished.position}"]`)) continue;
    const rating = element("span", { class: "rating", "data-rating": finished.status === "failed" ? "fail" : "none" }, finished.status);
    rows.prepend(element("tr", { "data-position": finished.position },
      element("td", {}, element("a", { href: `${address}/cases/${finished.position}` }, finished.case)),
      cell(finished.model), cell(figure(finished.figure), "number"), element("td", { class: "last" }, rating, ` ${finished.word}`)));
  }
  while (rows.children.length > SHOWN) rows.lastElementChild.remove();
  at("recent").hidden = rows.children.length === 0;
}

function showControls(state, more) {
  const under = state === "running" || state === "paused" || state === "stopping";
  at("pause").hidden = !under || state === "paused";
  at("pause").disabled = state !== "running";
  at("resume").hidden = state !== "paused";
  at("resume").disabled = state !== "paused";
  at("cancel").hidden = !under;
  at("cancel").disabled = state === "stopping";
  for (const offer of [at("again"), at("change")]) if (offer) offer.hidden = under || !more;
  at("results").classList.toggle("primary", !under);
  at("results").textContent = under ? "Results so far" : "Results";
}

for (const [id, action] of [["pause", "pause"], ["resume", "resume"], ["cancel", "cancel"]]) {
  at(id).addEventListener("click", async () => {
    at(id).disabled = true;
    try {
      show(await api("POST", `${address}/${action}`), true);
    } catch (error) {
      say(error.message, "error");
      follow();
    }
  });
}

at("again")?.addEventListener("click", async () => {
  at("again").disabled = true;
  try {
    const { run_id } = await api("POST", `${address}/again`);
    location.assign(`/runs/${encodeURIComponent(run_id)}/live`);
  } catch (error) {
    say(error.message, "error");
    at("again").disabled = false;
  }
});

let events;

/** Listens to the run. The browser comes back by itself after a break and says what it has seen. */
function follow() {
  events?.close();
  events = new EventSource(`/api/v1${address}/events`);
  events.addEventListener("snapshot", (event) => show(JSON.parse(event.data), true));
  events.addEventListener("progress", (event) => show(JSON.parse(event.data), false));
  events.addEventListener("ended", (event) => {
    events.close();
    events = undefined;
    show(JSON.parse(event.data), true);
  });
}

// A browser keeps few connections to one server; a page nobody looks at needs none.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    events?.close();
    events = undefined;
  } else if (page.dataset.state !== "ended" && !events) follow();
});

showControls(page.dataset.state, leftOver(page.dataset.status, Number(page.dataset.failed)));
if (page.dataset.state !== "ended") follow();
