// Takes the pictures of the docs: `node e2e/page/pictures.mjs` after `e2e/page/run` has installed what it needs.

import { mkdirSync } from "node:fs";
import { assize, closeBrowser, openPage, startSite } from "./site.mjs";

const pictures = new URL("../../docs/pictures/", import.meta.url).pathname;
mkdirSync(pictures, { recursive: true });

const site = await startSite({
  demo: true,
  setup: (site) => {
    for (const system of ["fact-extraction", "behaviours", "transcript-quality"]) assize(site, "init", system);
  },
});
// A second look at the same facts with other settings, so that there is something to compare.
const { value: started } = await site.api("POST", "/runs", { suite: "bundled:fact-extraction/suite.yaml", profile: "lenient" });
for (let state = "running"; state === "running";) ({ state } = (await site.api("GET", `/runs/${started.run_id}/progress`)).value);
const runs = (await site.api("GET", "/runs")).value.runs;
const run = (suite) => runs.find((one) => one.suite === suite).run_id;
const facts = runs.filter((one) => one.suite === "fact-extraction-example").map((one) => one.run_id);
const rubric = (await site.api("GET", "/rubrics")).value.files?.find(({ path }) => path?.endsWith("_prompt.md"))?.path;

const screens = [
  ["runs", "/"],
  ["run", `/runs/${run("call-intelligence-example")}`],
  ["cases", `/runs/${run("call-intelligence-example")}`, "#pictures"],
  ["case-transcript", `/runs/${run("transcript-quality-example")}/cases/9`],
  ["case-facts", `/runs/${facts.at(-1)}/cases/9`],
  ["case-call", `/runs/${run("call-intelligence-example")}/cases/9`],
  ["settings", `/settings?run=${facts.at(-1)}&profile=lenient`],
  ["new-run", "/new?suite=fact-extraction%2Fsuite.yaml"],
  ["rubrics", "/rubrics"],
  ["workbench", `/rubrics/edit?path=${encodeURIComponent(rubric ?? "")}`],
  ["compare", `/compare?a=${facts.at(-1)}&b=${facts[0]}`],
  ["api", "/api"],
];
const page = await openPage({ viewport: { width: 1280, height: 860 } });
for (const [name, address, anchor] of screens) {
  await page.goto(site.url + address, { waitUntil: "networkidle" });
  if (anchor) await page.locator(anchor).evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: `${pictures}${name}.png` });
}
await page.emulateMedia({ colorScheme: "dark" });
await page.goto(`${site.url}/runs/${run("reasoning-trace-example")}`);
await page.screenshot({ path: `${pictures}run-dark.png` });
await closeBrowser();
await site.stop();
