// Trying a text on cases: which, by whom, what it would cost, and what came of it beside the file on the disk.

import { element, plural, rated } from "./drawing.js";
import { dollars } from "./numbers.js";
import { api, at, say } from "./page.js";

/** As many cases as are tried at a time. */
const MOST = 20;

/** As many as are chosen before anybody has chosen. */
const FIRST = 3;


export function makeTrial({ path, text }) {
  const form = at("trial");
  const { source, use, model } = form.elements;
  const address = new URLSearchParams(location.search);
  let wanted = address.has("cases") ? new Set(address.get("cases").split(",").map(Number)) : null;
  if (address.has("model")) model.value = address.get("model");

  const chosen = () => [...form.querySelectorAll('[name="case"]:checked')].map((box) => Number(box.value));

  /** The choice stands in the address, so that a link shows the same. */
  const keep = () => {
    const now = new URLSearchParams({ path, source: source.value, cases: chosen().join(",") });
    if (use.value !== use.options[0]?.value) now.set("use", use.value);
    if (model.value !== "offline") now.set("model", model.value);
    history.replaceState(null, "", `?${now}`);
  };

  async function load(from, name) {
    const query = new URLSearchParams({ path, source: name ?? "", from: String(from) });
    const found = await api("GET", `/rubrics/cases?${query}`);
    if (!source.options.length) {
      source.append(...found.sources.map((choice) => new Option(choice.label, choice.source)));
      use.append(...found.ways.map((way) => new Option(way.label, way.use)));
      source.closest("label").hidden = !found.sources.length;
      use.closest("label").hidden = found.ways.length < 2;
      if (address.has("use")) use.value = address.get("use");
      at("models").append(...found.models.map((name) => new Option(name)));
    }
    source.value = found.source;
    form.querySelector("legend").textContent = found.source.startsWith("run:") ? "Cases, with their verdict in that run" : "Cases";
    if (from === 0) at("cases").replaceChildren();
    let free = wanted === null ? FIRST : 0;
    for (const { position, id, model, verdict, problem } of found.cases) {
      const checked = !problem && (wanted?.has(position) || free-- > 0);
      at("cases").append(element("label", { class: problem ? "faint" : undefined },
        element("input", { type: "checkbox", name: "case", value: position, checked, disabled: Boolean(problem) }),
        element("span", {}, id, " ", element("span", { class: "faint" }, model), verdict && " ", verdict && verdictWord(verdict), problem && ` (${problem})`)));
    }
    if (!found.cases.length) at("cases").append(element("p", { class: "faint" }, found.problem ?? "There are no cases."));
    wanted ??= new Set();
    at("more").hidden = found.next === null;
    at("more").onclick = () => load(found.next, source.value).catch(told);
    showChoice();
  }

  const told = (error) => say(error.message, "error");

  let asked = 0;
  async function showChoice() {
    const count = chosen().length;
    const button = at("try");
    button.disabled = count === 0 || count > MOST;
    button.textContent = count ? `Try on ${plural(count, "case")}` : "Try";
    keep();
    const mine = ++asked;
    const words = at("estimate");
    if (count > MOST) { words.textContent = `At most ${MOST} cases at a time.`; return; }
    if (count === 0) { words.textContent = "Choose the cases to try it on."; return; }
    if (model.value.trim() === "offline") { words.textContent = "Offline: rules decide what they can, no model is asked, nothing is paid."; return; }
    try {
      const { cost } = await api("POST", "/rubrics/try", { ...request(), only_estimate: true });
      if (mine === asked) words.textContent = `${asking(cost)}.`;
    } catch (error) {
      if (mine === asked) words.textContent = error.message;
    }
  }

  const request = () => ({ path, text: text(), source: source.value, cases: chosen(), use: use.value, model: model.value });

  form.addEventListener("change", (event) => {
    if (event.target === source) { wanted = null; load(0, source.value).catch(told); } else showChoice();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = at("try");
    button.disabled = true;
    button.textContent = "Judging …";
    try {
      at("tried").replaceChildren(...outcome(await api("POST", "/rubrics/try", request())));
    } catch (error) {
      at("tried").replaceChildren(element("p", { class: "notice", "data-kind": "error" }, error.message));
    }
    showChoice();
  });

  load(0, address.get("source")).catch((error) => at("cases").replaceChildren(element("p", {}, error.message)));
}

const price = (cost) => (cost === null ? "at a price that is not known" : cost === 0 ? "nothing to pay" : `about ${dollars(cost)}`);

const asking = ({ questions, cached, cost_usd: cost }) =>
  `${plural(questions, "question")}${cached ? `, ${cached} of them answered already` : ""}, ${price(cost)}`;

function verdictWord(verdict) {
  const ratings = { pass: "good", fail: "fail", review: "acceptable" };
  const words = { review: "for a person" };
  return rated(ratings[verdict] ?? "", words[verdict] ?? verdict);
}

function outcome({ cases, flipped, rubrics, unchanged, before_problem: problem, cost }) {
  const shown = [];
  const paid = cost.questions ? ` ${asking(cost)}.` : "";
  const words = unchanged ? "The text is the one in the file, so there is nothing to compare it with."
    : problem ? `The file on the disk could not be judged by: ${problem}`
    : flipped ? `${flipped} of ${plural(cases.length, "verdict")} flipped.` : "No verdict flipped.";
  shown.push(element("p", { class: "outcome" }, element("b", {}, words), paid));
  const both = !unchanged && !problem;
  const order = cases.toSorted((a, b) => Number(b.flipped) - Number(a.flipped));
  shown.push(element("div", { class: "scroll" }, element("table", { class: "tried" },
    element("thead", {}, element("tr", {}, element("th", {}, "Case"), both && element("th", {}, "The file on the disk"), element("th", {}, "This text"))),
    element("tbody", {}, order.map((one) => element("tr", { "data-case": one.id, "data-flipped": one.flipped },
      element("td", {}, element("b", {}, one.id), " ", element("span", { class: "faint" }, one.model), one.flipped && element("div", {}, rated("blocker", "flipped")), inputs(one)),
      both && element("td", {}, ...ruling(one.before)), element("td", {}, ...ruling(one.now))))))));
  const moved = rubrics.filter(({ now, before }) => now !== null || before !== null);
  if (moved.length) shown.push(rubricTable(moved, both));
  return shown;
}

function ruling(found) {
  if (!found) return [element("span", { class: "faint" }, "not reached")];
  const { status, verdict, score, reason, flags, evidence } = found;
  const word = verdict ? verdictWord(verdict) : rated(status === "failed" ? "fail" : "", status === "failed" ? "not judged" : status);
  return [
    element("div", {}, word, score !== null && ` ${score.toFixed(2)}`),
    element("p", { class: "words" }, reason),
    flags.length > 0 && element("div", { class: "small faint" }, flags.join(", ").replaceAll("_", " ")),
    (evidence.length > 1 || evidence.some(({ text }) => text && !text.startsWith(reason))) && element("details", { class: "small" }, element("summary", {}, "What it rests on"), list(evidence)),
    evidence.length === 1 && element("div", { class: "small faint" }, evidence[0].text.slice(reason.length).trim()),
  ].filter(Boolean);
}

const list = (evidence) => element("dl", { class: "rests-on" }, evidence.flatMap(({ name, outcome, text }) => [
  element("dt", {}, name, outcome && " ", outcome && verdictWord(outcome)), element("dd", { class: "words" }, text)]));

const inputs = ({ inputs }) => element("details", { class: "small" }, element("summary", {}, "The case"),
  element("dl", { class: "rests-on" }, inputs.flatMap(({ name, text }) => [element("dt", {}, name), element("dd", { class: "words" }, text)])));

function rubricTable(rubrics, both) {
  const figure = (score, passed) => [score === null ? "–" : score.toFixed(2), " ", passed === null ? rated("acceptable", "undecided") : passed ? rated("good", "passed") : rated("fail", "not passed")];
  return element("div", { class: "scroll" }, element("h3", {}, "The rubrics, over these cases"), element("table", {},
    element("thead", {}, element("tr", {}, element("th", {}, "Rubric"), element("th", {}, "Model"), both && element("th", {}, "The file on the disk"), element("th", {}, "This text"))),
    element("tbody", {}, rubrics.map(({ code, model, now, passes_now, before, passed_before }) => element("tr", {},
      element("td", {}, code), element("td", {}, model), both && element("td", {}, ...figure(before, passed_before)), element("td", {}, ...figure(now, passes_now)))))));
}
