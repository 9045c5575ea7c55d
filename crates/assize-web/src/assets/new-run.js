// A new run: says what it would ask and cost whenever a choice changes, and starts it.

import { element } from "./drawing.js";
import { count, dollars } from "./numbers.js";
import { all, api, at, fields, say } from "./page.js";

const form = at("new-run");
const note = at("before-note");
const start = at("start");

const chosenSuite = () => form.querySelector('input[name="suite"]:checked');
const parts = (text) => text.split(/[,\n]/).map((part) => part.trim()).filter((part) => part !== "");
const number = (text) => (text === "" ? undefined : Number(text));

/** What is asked for; what was left empty is left out. */
function request() {
  const data = fields(form);
  const text = (name) => (data[name] ?? "").trim();
  return JSON.parse(JSON.stringify({
    suite: chosenSuite()?.value,
    models: parts(text("model")),
    profile: text("profile") || undefined,
    limit: number(text("limit")),
    only: parts(text("only")),
    concurrency: number(text("concurrency")),
    max_cost: number(text("max_cost")),
    cache: text("cache") || undefined,
  }));
}

/** The same for a shell. */
function command(asked) {
  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const words = asked.suite.startsWith("bundled:") ? ["assize", "demo", asked.suite.slice(8).split("/")[0], "--no-serve"] : ["assize", "run", asked.suite];
  if (asked.suite.startsWith("bundled:")) return words.join(" ");
  for (const model of asked.models) words.push("--model", model);
  if (asked.profile) words.push("--profile", asked.profile);
  if (asked.limit) words.push("--limit", String(asked.limit));
  for (const id of asked.only) words.push("--only", id);
  if (asked.concurrency) words.push("--concurrency", String(asked.concurrency));
  if (asked.max_cost !== undefined) words.push("--max-cost", String(asked.max_cost));
  if (asked.cache === "refresh") words.push("--refresh");
  if (asked.cache === "ignore") words.push("--no-cache");
  return words.map(quoted).join(" ");
}

/** What the suite brings with it: its model, its profiles, the keys it needs. */
function showSuite() {
  const suite = chosenSuite();
  if (!suite) return;
  at("model").placeholder = `as the suite says: ${suite.dataset.models}`;
  const profiles = JSON.parse(suite.dataset.profiles);
  const select = at("profile");
  const wanted = select.value || select.dataset.chosen;
  // One that was chosen by its version is none of the newest, and stays to choose.
  const offered = wanted && profiles.length > 0 && !profiles.includes(wanted) ? [...profiles, wanted] : profiles;
  select.replaceChildren(select.options[0], ...offered.map((name) => new Option(name, name)));
  select.value = offered.includes(wanted) ? wanted : "";
  at("profile-field").hidden = profiles.length === 0;
  for (const line of all("#keys-set [data-own]")) line.remove();
  for (const { provider, variable, usable } of JSON.parse(suite.dataset.providers)) {
    const set = element("span", { class: "rating", "data-rating": usable && "good" }, usable ? "set" : "not set");
    at("keys-set").append(element("div", { "data-own": true },
      element("dt", {}, element("code", {}, `${provider}:`)),
      element("dd", {}, ...(variable ? [element("code", {}, variable), " ", set] : ["needs no key"]))));
  }
}

function showProblems(problems, more) {
  const list = problems.map(({ file, line, column, severity, message, help, source }) => element("div", { class: "problem", "data-severity": severity },
    element("p", { class: "message" }, message),
    element("p", { class: "place" }, line === null ? file : `${file}:${line}:${column}`),
    source && element("pre", {}, source.before, element("mark", {}, source.marked), source.after),
    help && element("p", { class: "help" }, help)));
  if (more > 0) list.push(element("p", { class: "faint" }, `and ${count(more)} more`));
  at("problems").replaceChildren(...list);
  at("problems").hidden = list.length === 0;
}

function showEstimate(estimate) {
  at("figures").hidden = !estimate;
  at("first-question").hidden = !estimate?.first;
  if (!estimate) return;
  const figures = {
    cases: count(estimate.cases),
    questions: count(estimate.questions),
    cached: count(estimate.cached),
    "to-ask": count(estimate.questions - estimate.cached),
    texts: count(estimate.texts - estimate.cached_texts),
    tokens: count(estimate.input_tokens),
    cost: dollars(estimate.cost_usd),
  };
  at("texts").hidden = estimate.texts === 0;
  for (const [name, value] of Object.entries(figures)) form.querySelector(`[data-figure="${name}"]`).textContent = value;
  const messages = (estimate.first?.messages ?? []).flatMap(({ role, content }) => [element("h3", {}, role), element("pre", {}, content)]);
  at("first-question-text").replaceChildren(...messages);
}

function inWords({ ready, problems, run, estimate }) {
  if (!estimate) return problems.length === 1 ? "There is a problem:" : "There are problems:";
  const judge = [run.judge, run.profile].filter(Boolean).join(" · ");
  const who = `${run.suite}: ${judge} by ${run.models.join(", ")}.`;
  if (!ready) return `${who} It cannot be started yet:`;
  if (estimate.questions + estimate.texts === 0) return `${who} Rules answer; nothing is asked or paid.`;
  if (estimate.questions === 0) return `${who} Rules answer; texts are embedded.`;
  if (estimate.questions === estimate.cached && estimate.texts === estimate.cached_texts) return `${who} Everything was answered before; nothing is asked or paid.`;
  return who;
}

/** The addresses that the suite names and that get the cases without a key: each has to be agreed to. */
const unagreed = () => all("#addresses input").filter((box) => !box.checked);
const agreed = () => all("#addresses input:checked").map((box) => box.value);

function showAddresses(estimate) {
  const before = new Set(agreed());
  const strange = (estimate?.asks ?? []).filter(({ from_suite: own, key }) => own && !key).map(({ address }) => address);
  at("addresses").replaceChildren(...strange.map((address) => element("label", {},
    element("input", { type: "checkbox", value: address, checked: before.has(address) }), " ", element("code", {}, address))));
  at("confirm").hidden = strange.length === 0;
}

let ready = false;
const offerStart = () => { start.disabled = !ready || unagreed().length > 0; };

let waiting = new AbortController();

/** Asks what the run would come to. Of several answers that are on their way, the last counts. */
async function check() {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  if (!chosenSuite()) return;
  const asked = request();
  const address = new URLSearchParams(fields(form));
  for (const [name, value] of [...address]) if (value === "") address.delete(name);
  history.replaceState(null, "", `/new?${address}`);
  at("command").textContent = command(asked);
  start.disabled = true;
  // Asked, not reported: a report takes the focus away from whoever is typing.
  if (!form.checkValidity()) {
    at("before").removeAttribute("aria-busy");
    note.textContent = "A field holds a value that it does not take.";
    return;
  }
  at("before").setAttribute("aria-busy", "true");
  let told;
  try {
    told = await api("POST", "/estimate", asked, signal);
  } catch (error) {
    told = { ready: false, problems: error.problems ?? [], more_problems: 0, estimate: null, failed: error.message };
  }
  if (signal.aborted) return;
  at("before").removeAttribute("aria-busy");
  note.textContent = told.failed ?? inWords(told);
  showProblems(told.problems, told.more_problems);
  showEstimate(told.estimate);
  showAddresses(told.estimate);
  ready = told.ready;
  offerStart();
}

let soon;
form.addEventListener("input", (event) => {
  if (event.target.id === "suite-search") return;
  if (event.target.closest("#confirm")) { offerStart(); return; }
  if (event.target.name === "suite") showSuite();
  start.disabled = true;
  clearTimeout(soon);
  soon = setTimeout(check, event.target.matches('[type="radio"], select') ? 0 : 250);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (start.disabled) return;
  start.disabled = true;
  try {
    const confirm = agreed().join(",");
    const { run_id } = await api("POST", confirm ? `/runs?${new URLSearchParams({ confirm })}` : "/runs", request());
    location.assign(`/runs/${encodeURIComponent(run_id)}/live`);
  } catch (error) {
    say(error.message, "error");
    if (error.problems?.length > 0) showProblems(error.problems, 0);
    start.disabled = false;
  }
});

at("suite-search")?.addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const row of form.querySelectorAll("tr[data-suite]")) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted) && !row.querySelector("input").checked;
  }
});

showSuite();
check();
