// Runs, a run, its list of cases, and the file it can be sent as.

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, closeBrowser, openPage, startSite } from "./site.mjs";

/** As many examples as are bundled: each is a folder. */
const EXAMPLES = readdirSync(new URL("../../examples", import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;

let site;
let runs;
before(async () => {
  site = await startSite({ demo: true });
  runs = Object.fromEntries((await site.api("GET", "/runs")).value.runs.map((run) => [run.suite, run.run_id]));
});
after(async () => {
  await closeBrowser();
  await site.stop();
});

test("the runs are listed, searched and filtered", async () => {
  const page = await openPage();
  await page.goto(site.url);
  assert.equal(await page.locator("tbody tr").count(), EXAMPLES);
  await page.keyboard.press("/");
  await page.keyboard.type("reasoning");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=reasoning/);
  assert.deepEqual(await page.locator("tbody a.main").allTextContents(), ["reasoning-trace-example"]);
  await page.getByLabel("Judge", { exact: true }).selectOption("call-intelligence");
  await page.getByText("No run is like that.").waitFor();
  await page.getByText("Show all runs").click();
  await accessible(page);
  assert.deepEqual(page.problems, []);
});

test("a run shows blockers with their cases, the scorecard and pictures", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/runs/${runs["call-intelligence-example"]}`);
  assert.equal(await page.locator(".blockers h2").textContent(), "8 blockers");
  const breach = page.locator(".blockers li", { hasText: "qa.false_pass_rate" });
  assert.match(await breach.textContent(), /coda: qa\.false_pass_rate is 5\.56%, the limit is <= 3\. In refund-en-qa, recharge-hi-qa \(run 1\)\./);
  assert.equal(await page.locator("svg.histogram").count() > 0, true);
  assert.equal(await page.locator("svg.frontier").count(), 1);
  await breach.getByText("refund-en-qa").click();
  await page.waitForURL(/q=refund-en-qa/);
  assert.deepEqual(await page.locator("tbody a.main").allTextContents(), ["refund-en-qa"]);
  assert.deepEqual(page.problems, []);
});

test("filter, sort, open a case, and go back to the same list", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/runs/${runs["transcript-quality-example"]}`);
  await page.locator(".chip", { hasText: "model: recogniser-b" }).click();
  await page.waitForURL(/model=recogniser-b/);
  await page.locator("#cases ~ div th a", { hasText: "composite" }).click();
  await page.waitForURL(/sort=%3Dcomposite/);
  const figures = (await page.locator(".list tbody td.number:nth-of-type(4)").allTextContents()).map((text) => parseFloat(text));
  assert.equal(figures.length, 10);
  assert.deepEqual(figures, [...figures].sort((a, b) => a - b), "the worst come first");
  const list = page.url();
  const names = await page.locator("tbody a.main").allTextContents();
  await page.locator(".list tbody a.main").first().click();
  await page.waitForURL(/\/cases\/\d+\?/);
  assert.match(await page.locator("h1").textContent(), new RegExp(names[0]));
  await page.keyboard.press("j");
  await page.waitForFunction((name) => document.querySelector("h1").textContent.includes(name), names[1]);
  await page.keyboard.press("k");
  await page.waitForFunction((name) => document.querySelector("h1").textContent.includes(name), names[0]);
  await page.keyboard.press("u");
  await page.waitForURL((url) => url.href.split("#")[0] === list.split("#")[0]);
  assert.deepEqual(page.problems, []);
});

test("every run passes axe, and a phone need not scroll sideways", async () => {
  for (const [at, run] of Object.values(runs).entries()) {
    const page = await openPage();
    await page.goto(`${site.url}/runs/${run}`);
    // The pages differ in what they show and not in their colours: every other one in the dark.
    await accessible(page, [at % 2 === 0 ? "light" : "dark"]);
    await page.setViewportSize({ width: 390, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, `${run} is too wide`);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test("the file a run can be sent as needs nothing else and runs nothing", async () => {
  const text = await (await fetch(`${site.url}/runs/${runs["call-intelligence-example"]}/report.html`)).text();
  assert.doesNotMatch(text, /<script|href="\/|src=/);
  const file = join(site.folder, "report.html");
  writeFileSync(file, text);
  const page = await openPage();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  assert.equal(await page.locator(".blockers h2").textContent(), "8 blockers");
  assert.equal(requests.length, 1);
  await accessible(page, ["light"]);
  assert.deepEqual(page.problems, []);
});

test("everything can be reached by keys", async () => {
  const page = await openPage();
  await page.goto(site.url);
  await page.keyboard.press("?");
  await page.locator("#keys[open]").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = await page.locator("tbody a.main").nth(1).getAttribute("href");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), second);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${second}`);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL(`${site.url}/`);
});

test("the first start offers the examples", async () => {
  const empty = await startSite();
  const page = await openPage();
  await page.goto(empty.url);
  await accessible(page);
  await page.getByRole("button", { name: "Judge the examples" }).click();
  await page.locator("tbody tr").first().waitFor();
  assert.equal(await page.locator("tbody tr").count(), EXAMPLES);
  await empty.stop();
});
