// A run as it goes on: keeps the page up to date, and pauses, resumes, cancels and starts again.

import { api, say } from "./keys.js";
import { count, dollars, duration, figure } from "./numbers.js";

const page = document.getElementById("live");
const run = page.dataset.run;
const address = `/runs/${encodeURIComponent(run)}`;
const element = (id) => document.getElementById(id);

/** As many finished cases as the page shows. */
const SHOWN = 20;

function cell(text, kind = "") {
  const made = document.createElement("td");
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function row(...cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

function show(progress, whole) {
  const { state, status, cases, questions } = progress;
  Object.assign(page.dataset, { state, status });
  const notice = element("state");
  const unfinished = state === "ended" ? leftOver(status, cases.failed) : state !== "running";
  notice.dataset.kind = unfinished ? "warning" : "";
  const words = notice.querySelector("p");
  // Said again only when it changes: it is read out.
  if (words.textContent !== progress.sentence) words.textContent = progress.sentence;
  element("bar").max = Math.max(cases.total, 1);
  element("bar").value = cases.done;
  element("done").textContent = `${count(cases.done)} of ${count(cases.total)} cases`;
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
  if (element("spending")) element("spending").value = progress.cost_usd ?? 0;
  element("failures").hidden = progress.failures.length === 0;
  element("failure-rows").replaceChildren(...progress.failures.map(
    ({ count: number, about, last }) => row(cell(count(number), "number"), cell(about), cell(last, "last"))));
  showRecent(progress.recent, whole);
  showControls(state, leftOver(status, cases.failed));
}

/** Whether there is something to go on with. */
const leftOver = (status, failed) => status !== "complete" || failed > 0;

function showRecent(recent, whole) {
  const rows = element("recent-rows");
  if (whole) rows.replaceChildren();
  for (const finished of [...recent].reverse()) {
    // One that a snapshot told already comes again with the next event.
    if (rows.querySelector(`[data-position="${finished.position}"]`)) continue;
    const link = document.createElement("a");
    link.href = `${address}/cases/${finished.position}`;
    link.textContent = finished.case;
    const outcome = cell("", "last");
    const rating = document.createElement("span");
    rating.className = "rating";
    rating.dataset.rating = finished.status === "failed" ? "fail" : "none";
    rating.textContent = finished.status;
    outcome.append(rating, ` ${finished.word}`);
    const name = cell("");
    name.append(link);
    const made = row(name, cell(finished.model), cell(figure(finished.figure), "number"), outcome);
    made.dataset.position = finished.position;
    rows.prepend(made);
  }
  while (rows.children.length > SHOWN) rows.lastElementChild.remove();
  element("recent").hidden = rows.children.length === 0;
}

function showControls(state, more) {
  const under = state === "running" || state === "paused" || state === "stopping";
  element("pause").hidden = !under || state === "paused";
  element("pause").disabled = state !== "running";
  element("resume").hidden = state !== "paused";
  element("resume").disabled = state !== "paused";
  element("cancel").hidden = !under;
  element("cancel").disabled = state === "stopping";
  for (const offer of [element("again"), element("change")]) if (offer) offer.hidden = under || !more;
  element("results").classList.toggle("primary", !under);
  element("results").textContent = under ? "Results so far" : "Results";
}

for (const [id, action] of [["pause", "pause"], ["resume", "resume"], ["cancel", "cancel"]]) {
  element(id).addEventListener("click", async () => {
    element(id).disabled = true;
    try {
      show(await api("POST", `${address}/${action}`), true);
    } catch (error) {
      say(error.message, "error");
      follow();
    }
  });
}

element("again")?.addEventListener("click", async () => {
  element("again").disabled = true;
  try {
    const { run_id } = await api("POST", `${address}/again`);
    location.assign(`/runs/${encodeURIComponent(run_id)}/live`);
  } catch (error) {
    say(error.message, "error");
    element("again").disabled = false;
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
