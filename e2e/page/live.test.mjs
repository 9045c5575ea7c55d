// A new run from the page: what it would ask and cost, then live; paused, gone on with, cancelled. The API as a page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { accessible, binary, closeBrowser, openPage, startSite } from "./site.mjs";

const CASES = 30;
const KEY = "sk-live-tests-0123456789";

/** A model server on loopback that holds its replies back until it is told to let them go. */
async function startModel() {
  const server = spawn(join(dirname(binary), "assize-model-server"), [], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((found, failed) => {
    createInterface({ input: server.stdout }).once("line", found);
    server.once("error", failed);
    server.once("exit", (code) => failed(new Error(`the model server ended with ${code}`)));
  });
  const told = (method, path) => fetch(url + path, { method }).then((reply) => reply.text());
  return {
    url,
    hold: () => told("POST", "/hold"),
    release: (count) => told("POST", count ? `/release/${count}` : "/release"),
    /** Resolves once so many requests have come. */
    requests: (count) => told("GET", `/requests/${count}`),
    seen: async () => JSON.parse(await told("GET", "/stats")).requests,
    stop: () => { server.removeAllListeners("exit"); server.kill("SIGINT"); },
  };
}

const suite = (name, url) => `name: calls of ${name}
judge: {use: transcript-quality, model: 'local:judge'}
cases: [cases.jsonl]
prices: prices.toml
providers:
  local: {base_url: '${url}/v1', api_key_env: TRIAL_KEY}
`;

const PRICES = '["local:judge"]\ninput = 10.0\noutput = 10.0\n';

/** A suite of calls that nobody has judged yet, in a folder of its own. */
function calls(name, url) {
  const cases = Array.from({ length: CASES }, (_, number) => JSON.stringify({
    id: `call-${number}`, reference: `${name} ${number} is here`, transcript: `${name} ${number}`,
  }));
  return { [`${name}/suite.yaml`]: suite(name, url), [`${name}/cases.jsonl`]: cases.join("\n"), [`${name}/prices.toml`]: PRICES };
}

let model;
let site;
before(async () => {
  model = await startModel();
  site = await startSite({
    env: { TRIAL_KEY: KEY },
    files: {
      ...calls("march", model.url), ...calls("april", model.url), ...calls("may", model.url), ...calls("june", `${model.url}/nowhere`),
      "broken/suite.yaml": "name: broken\njudge: {use: transcript-quality, modle: offline}\ncases: [cases.jsonl, none.jsonl]\n",
      "broken/cases.jsonl": '{"id": "a", "reference": "x"}\n',
      "facts/suite.yaml": "name: facts\njudge: {use: fact-extraction}\ncases: [cases.jsonl]\n",
      "facts/cases.jsonl": '{"id": "a", "transcript": "x", "predicted_facts": [], "gold_facts": []}\n',
    },
  });
});
after(async () => {
  await closeBrowser();
  await site.stop();
  model.stop();
});

/** Chooses a suite and waits until its estimate is there. */
async function choose(page, name) {
  await page.getByRole("radio", { name }).check();
  await page.waitForFunction(() => !document.getElementById("before").hasAttribute("aria-busy"));
}

const figure = (page, name) => page.locator(`[data-figure="${name}"]`).textContent();
const state = (page, state) => page.waitForSelector(`#live[data-state="${state}"]`);

test("what a run would ask and cost is seen before the button", async () => {
  const page = await openPage();
  const asked = await model.seen();
  await page.goto(`${site.url}/new`);
  await choose(page, /calls of march/);
  await page.locator("#start:enabled").waitFor();
  assert.equal(await figure(page, "cases"), String(CASES));
  assert.equal(await figure(page, "to-ask"), String(CASES));
  assert.match(await figure(page, "cost"), /^\$\d/);
  assert.match(await page.locator("#keys-set").textContent(), /local:TRIAL_KEY set/);
  assert.ok(!(await page.content()).includes(KEY), "a key is never shown");
  await page.getByText("The first question").click();
  await page.locator("#first-question-text pre").first().waitFor();
  await page.getByLabel("Only the first").fill("7");
  await page.waitForFunction(() => document.querySelector('[data-figure="cases"]').textContent === "7");
  assert.match(page.url(), /limit=7/, "what is chosen is in the address");
  assert.match(await page.locator("#command").textContent(), /assize run march\/suite.yaml --limit 7/);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('[data-figure="cases"]').textContent === "7");
  assert.equal(await page.getByRole("radio", { name: /calls of march/ }).isChecked(), true);
  await page.getByLabel("Judge model").fill("offline");
  await page.getByText("nothing is asked or paid").waitFor();
  await page.getByLabel("Judge model").fill("nonsense");
  await page.locator(".problem", { hasText: "a judge model is" }).waitFor();
  assert.equal(await page.locator("#start").isDisabled(), true);
  await accessible(page);
  // What is refused is told in the console as well, by the browser itself.
  assert.deepEqual(page.problems.filter((problem) => !problem.includes("422")), []);
  assert.equal(await model.seen(), asked, "nothing was asked");
});

test("every problem of a suite is shown at its line, and its profiles are offered", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/new?suite=broken/suite.yaml`);
  await page.locator(".problem").first().waitFor();
  const problems = await page.locator(".problem").allTextContents();
  assert.equal(problems.length, 2, problems.join("\n"));
  assert.match(problems[0], /unknown key `modle`.*broken\/suite\.yaml:2:34/);
  assert.equal(await page.locator(".problem mark").first().textContent(), "modle");
  assert.match(problems[1], /none\.jsonl/);
  await accessible(page, ["light"]);
  assert.equal(await page.locator("#start").isDisabled(), true);
  await page.getByRole("radio", { name: /^facts/ }).check();
  await page.getByLabel("Profile").selectOption("lenient");
  await page.getByText("fact-extraction · lenient").waitFor();
  assert.deepEqual(page.problems, []);
});

test("a run is started, watched, paused, gone on with, and finishes", async () => {
  const page = await openPage();
  const asked = await model.seen();
  await model.hold();
  await page.goto(`${site.url}/new?suite=april/suite.yaml&concurrency=2&max_cost=5`);
  await page.locator("#start:enabled").click();
  await page.waitForURL(/\/runs\/[^/]+\/live$/);
  await state(page, "running");
  await model.requests(asked + 2);
  await page.getByRole("button", { name: "Pause" }).click();
  await state(page, "paused");
  await accessible(page, ["dark"]);
  // From here on the server would answer everything at once; paused, only what is under way comes to its end.
  await model.release();
  await page.getByText(`2 of ${CASES} cases`).waitFor();
  assert.equal(await page.locator('[data-live="answered"]').textContent(), "2");
  assert.equal(await model.seen(), asked + 2);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await state(page, "ended");
  assert.equal(await page.locator("#done").textContent(), `${CASES} of ${CASES} cases`);
  assert.equal(await page.locator("#live").getAttribute("data-status"), "complete");
  assert.match(await page.locator('[data-live="spent"]').textContent(), /^\$\d.* of \$5\.00$/);
  assert.equal(await page.locator("#recent-rows tr").count(), 20);
  assert.equal(await page.getByRole("button", { name: /new run/ }).isVisible(), false, "there is nothing to go on with");
  await accessible(page);
  await page.getByRole("link", { name: "Results" }).click();
  await page.waitForURL(/\/runs\/[^/]+$/);
  assert.deepEqual(page.problems, []);
});

test("a run is cancelled, keeps what it has, and another goes on without paying twice", async () => {
  const page = await openPage();
  const asked = await model.seen();
  await model.hold();
  await page.goto(`${site.url}/new?suite=may/suite.yaml&concurrency=3`);
  await page.locator("#start:enabled").click();
  await page.waitForURL(/\/live$/);
  const first = page.url();
  await model.requests(asked + 3);
  await page.getByRole("button", { name: "Cancel" }).click();
  await state(page, "stopping");
  await model.release();
  await state(page, "ended");
  assert.match(await page.locator("#state").textContent(), /It was interrupted/);
  const done = Number((await page.locator("#done").textContent()).split(" ")[0]);
  assert.equal(done, 3);
  await accessible(page, ["light"]);
  await page.getByRole("link", { name: "Change the options" }).click();
  await page.waitForURL(/\/new/);
  await page.waitForFunction(() => document.querySelector('[data-figure="cached"]').textContent === "3");
  assert.equal(await page.getByLabel("Requests at a time").inputValue(), "3");
  await page.goto(first);
  await page.getByRole("button", { name: "Continue in a new run" }).click();
  await page.waitForURL((url) => url.href !== first && url.pathname.endsWith("/live"));
  await page.waitForSelector('#live[data-state="ended"][data-status="complete"]');
  assert.equal(await page.locator('[data-live="cached"]').textContent(), "3");
  assert.equal(await model.seen(), asked + CASES, "nothing is paid twice");
  assert.deepEqual(page.problems, []);
});

test("errors are counted by kind with a sentence each", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/new?suite=june/suite.yaml&concurrency=1`);
  await page.locator("#start:enabled").click();
  await page.waitForURL(/\/live$/);
  await state(page, "ended");
  await page.getByText("The provider does not have the model.").waitFor();
  assert.match(await page.locator("#state").textContent(), /every further question would fail/);
  assert.deepEqual(page.problems, []);
});

test("the page of a run shows how it stands without scripts", async () => {
  const page = await openPage({ javaScriptEnabled: false });
  const { value } = await site.api("POST", "/runs", { suite: "bundled:transcript-quality/suite.yaml" });
  const live = `/runs/${value.run_id}/live`;
  await fetch(`${site.url}/api/v1/runs/${value.run_id}/events`).then((events) => events.text());
  await page.goto(site.url + live);
  await page.getByText("It is complete.").waitFor();
  assert.match(await (await fetch(site.url + live)).text(), /<noscript>[\s\S]*Look again[\s\S]*<\/noscript>/);
  assert.equal(await page.getByRole("button", { name: "Pause" }).isVisible(), false);
});

test("the API is a page, and a phone has room for all of it", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/api`);
  await page.getByRole("link", { name: "startRun" }).click();
  assert.match(await page.locator("#startRun pre").textContent(), /curl[\s\S]*-X POST[\s\S]*bundled:transcript-quality/);
  await accessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const { value } = await site.api("POST", "/runs", { suite: "bundled:transcript-quality/suite.yaml" });
  for (const path of ["/api", "/new", `/runs/${value.run_id}/live`]) {
    await page.goto(site.url + path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
  }
  assert.deepEqual(page.problems, []);
});
