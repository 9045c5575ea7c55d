// Two runs side by side.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, closeBrowser, openPage, startSite } from "./site.mjs";

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

test("counts lead to the cases behind them, with outputs and reasons side by side", async () => {
  const page = await openPage();
  const run = runs["reasoning-trace-example"];
  await page.goto(`${site.url}/compare?a=${run}&b=${run}&model_a=solver-large&model_b=solver-small`);
  const { value: found } = await site.api("GET", `/compare?a=${run}&b=${run}&model_a=solver-large&model_b=solver-small`);
  const clarity = found.models[0].metrics.find(({ metric }) => metric === "clarity");
  const row = page.locator("tr", { has: page.locator("th", { hasText: /^clarity/ }) });
  assert.equal((await row.locator("td").nth(5).textContent()).trim(), String(clarity.worse));
  await row.locator("td").nth(5).getByRole("link").click();
  await page.waitForURL(/show=worse&metric=clarity/);
  assert.equal(await page.locator("article.card").count(), clarity.worse);
  const first = page.locator("article.card").first();
  assert.match(await first.textContent(), /clarity .* → .* worse/);
  assert.equal(await first.locator(".split .text").count() >= 2, true, "both outputs are shown");
  await accessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(page.problems, []);
});

test("one run of two models compares them, and an impossible pair is a sentence", async () => {
  const page = await openPage();
  await page.goto(`${site.url}/compare?a=${runs["transcript-quality-example"]}`);
  await page.getByRole("heading", { name: /recogniser-a against recogniser-b/ }).waitFor();
  const missing = await site.api("GET", `/compare?a=${runs["transcript-quality-example"]}&b=none`);
  assert.equal(missing.status, 404);
  const impossible = await site.api("GET", `/compare?a=${runs["transcript-quality-example"]}&b=${runs["fact-extraction-example"]}`);
  assert.equal(impossible.status, 422);
  assert.match(impossible.value.error.message, /no model in common/);
});
