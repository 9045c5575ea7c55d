// Rubrics: look at them, write them, try them on cases, and lose nothing on the way.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, assize, closeBrowser, openPage, startSite } from "./site.mjs";

const PROMPT = "behaviours/tree/prompts/paid_amount_prompt.md";
const BENCHMARK = "behaviours/tree/benchmarks/money/MON-PAID.yaml";

let site;
before(async () => {
  site = await startSite({
    setup: (site) => {
      assize(site, "init", "behaviours");
      assize(site, "run", "behaviours/suite.yaml");
      assize(site, "new", "criteria", "judges/reply.yaml");
    },
  });
});
after(async () => { await closeBrowser(); await site?.stop(); });

const onDisk = (path) => readFileSync(join(site.folder, path), "utf8");
const at = (page, path) => page.goto(`${site.url}${path}`);

/** The workbench on a file, once it has looked the text over and listed the cases. */
async function workbench(path, options) {
  const page = await openPage(options);
  await at(page, `/rubrics/edit?path=${encodeURIComponent(path)}`);
  await page.locator("#workbench[data-looked]").waitFor();
  await page.locator("#cases *").first().waitFor();
  return page;
}

/** Takes back the cases that are chosen at the beginning. */
async function chooseNone(page) {
  for (const box of await page.locator("#cases input").all()) await box.uncheck();
}

/** The line on which a text stands. */
const lineOf = (text, part) => text.slice(0, text.indexOf(part)).split("\n").length;

test("the list shows the tree with its gates and scores, and is never empty", async () => {
  const page = await openPage();
  await at(page, "/rubrics");
  const gate = page.locator("tr", { has: page.getByRole("link", { name: "MON-PAID", exact: true }) }).first();
  assert.match(await gate.innerText(), /hard gate/);
  assert.match(await gate.innerText(), /0\.95/);
  assert.match(await gate.innerText(), /passed|hard gate failed|undecided/);
  const manual = page.locator("tr", { has: page.getByRole("link", { name: "CON-SME", exact: true }) }).first();
  assert.match(await manual.innerText(), /undecided/);
  assert.match(await page.locator("tr", { hasText: "migrate/before" }).innerText(), /\d+ errors/);
  await accessible(page);
  assert.deepEqual(page.problems, []);

  const bare = await startSite();
  try {
    await page.goto(`${bare.url}/rubrics`);
    await page.getByRole("link", { name: "FAC-NUM" }).waitFor();
    await page.getByRole("button", { name: "Write a copy of the example" }).first().click();
    await page.getByRole("heading", { name: "behaviours/tree" }).waitFor();
    assert.ok(existsSync(join(bare.folder, "behaviours/tree/rubrics/CN.yaml")));
  } finally {
    await bare.stop();
  }
});

test("a file is drawn by its parts, with its findings at their lines and the question it leads to", async () => {
  const page = await openPage();
  await at(page, "/rubrics/file?path=behaviours/migrate/before/total_loss_prompt.md");
  const first = page.locator(".source-line#L1 + .finding");
  assert.match(await first.innerText(), /error AZ1\d\d/);
  await first.getByText("Why").click();
  assert.match(await first.innerText(), /made up by the judge|canonical/);
  await accessible(page);

  await at(page, `/rubrics/file?path=${PROMPT}`);
  await page.getByRole("heading", { name: /Passes if all of these hold/ }).waitFor();
  await page.getByText("The question it leads to").click();
  await page.getByText("What is put to the judge").last().waitFor();
  assert.match(await page.locator("#question pre").first().innerText(), /neutral evaluator of insurance claim notes/);
  await accessible(page);
  assert.deepEqual(page.problems, []);
});

test("into a lint error and out again, tried on two cases, written, and undone", async () => {
  const page = await workbench(PROMPT);
  const area = page.locator("#text");
  const original = onDisk(PROMPT);
  assert.equal(await area.inputValue(), original, "not a character is lost");
  await page.locator("#findings").getByText("Nothing is wrong").waitFor();

  const line = lineOf(original, "1. The amount paid equals");
  await area.fill(original.replace("1. The amount paid equals", "- The amount paid equals"));
  const finding = page.locator('.finding[data-code="AZ103"]');
  await finding.waitFor();
  assert.equal(await finding.getAttribute("data-line"), String(line));
  assert.match(await finding.innerText(), new RegExp(`Line ${line}\\s+error\\s+AZ103 pass-numbering`));
  assert.equal(await page.locator(".mirror > div").nth(line - 1).getAttribute("data-severity"), "error");
  await page.getByRole("button", { name: `Line ${line}` }).click();
  const cursor = await area.evaluate((area) => area.value.slice(0, area.selectionStart).split("\n").length);
  assert.equal(cursor, line, "a finding leads to its line");
  await accessible(page);

  const better = original.replace("1. The amount paid equals the ground truth.", "1. The amount paid is the one in the ground truth.");
  await area.fill(better);
  await finding.waitFor({ state: "detached" });
  await page.locator("#findings").getByText("Nothing is wrong").waitFor();
  await page.getByText("Changes against the file").click();
  await page.locator(".diff ins", { hasText: "is the one in the ground truth" }).waitFor();

  await chooseNone(page);
  await page.locator("#cases input").nth(0).check();
  await page.locator("#cases input").nth(1).check();
  await page.getByRole("button", { name: "Try on 2 cases" }).click();
  await page.locator(".tried tbody tr").nth(1).waitFor();
  assert.equal(await page.locator(".tried tbody tr").count(), 2);
  await page.getByText("No verdict flipped.").waitFor();
  assert.match(await page.locator(".tried tbody tr").first().innerText(), /pass|fail|for a person/);
  assert.match(page.url(), /cases=0%2C1/, "the choice stands in the address");
  await accessible(page);

  assert.equal(onDisk(PROMPT), original, "nothing is written unasked");
  await page.getByRole("button", { name: "Write the file" }).click();
  await page.getByText("Written.").waitFor();
  assert.equal(onDisk(PROMPT), better);
  await page.getByRole("button", { name: "Undo the writing" }).click();
  await page.getByText("The earlier text is in the file again.").waitFor();
  assert.equal(onDisk(PROMPT), original);
  assert.equal(await area.inputValue(), original);
  assert.deepEqual(page.problems, []);
});

test("a change that turns a verdict shows both reasons", async () => {
  const page = await workbench(BENCHMARK);
  const text = onDisk(BENCHMARK);
  await page.locator("#text").fill(text.replace("equals_expected: true", "equals: 1"));
  await chooseNone(page);
  await page.locator("#cases label", { hasText: "kitchen-fire notes-a" }).locator("input").check();
  await page.getByRole("button", { name: "Try on 1 case" }).click();
  await page.getByText("1 of 1 verdict flipped.").waitFor();
  const [, was, is] = await page.locator(".tried tbody tr td").allInnerTexts();
  assert.match(was, /^pass 1\.00[\s\S]*paid_amount/);
  assert.match(is, /^fail 0\.00[\s\S]*JsonPath/);
  assert.equal(onDisk(BENCHMARK), text);
  assert.deepEqual(page.problems, []);
});

test("what somebody else wrote meanwhile is not written over", async () => {
  const page = await workbench(PROMPT);
  const original = onDisk(PROMPT);
  const theirs = original.replace("The note states a payment", "The note tells of a payment");
  writeFileSync(join(site.folder, PROMPT), theirs);
  try {
    await page.locator("#text").fill(`${original}\n<!-- mine -->\n`);
    await page.getByRole("button", { name: "Write the file" }).click();
    await page.getByRole("alert").getByText("was changed on the disk").waitFor();
    assert.equal(onDisk(PROMPT), theirs);
    assert.match(await page.locator("#text").inputValue(), /<!-- mine -->/, "nor is one's own text lost");
    assert.deepEqual(page.problems.filter((problem) => !problem.includes("409")), []);
  } finally {
    writeFileSync(join(site.folder, PROMPT), original);
  }
});

test("a reply that comes late is not shown over a newer one", async () => {
  const page = await workbench(PROMPT);
  const original = onDisk(PROMPT);
  const broken = original.replace("1. The amount paid", "- The amount paid");
  let late;
  let caught;
  const held = new Promise((found) => { caught = found; });
  await page.route("**/api/v1/lint", async (route) => {
    if (!late && route.request().postDataJSON().text === broken) { late = route; caught(); } else await route.continue();
  });
  await page.locator("#text").fill(broken);
  await held;
  await page.locator("#text").fill(`${original}\n`);
  await page.locator("#changes-count", { hasText: "1 line" }).waitFor();
  const answered = page.waitForResponse((response) => response.request().postDataJSON()?.text === broken);
  await late.continue();
  await (await answered).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await page.locator(".finding").count(), 0);
  await page.locator("#text").fill(original);
});

test("leaving with unsaved changes warns, and the keyboard can leave the text", async () => {
  const page = await workbench(PROMPT);
  const area = page.locator("#text");
  await area.focus();
  await page.keyboard.press("Control+End");
  assert.ok(await page.locator(".editor").evaluate((editor) => editor.scrollTop > 0), "the cursor is in view");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Tab");
  assert.match(await area.inputValue(), /^ {2}SYSTEM:/);
  await page.keyboard.press("Shift+Tab");
  assert.match(await area.inputValue(), /^SYSTEM:/);
  await page.keyboard.press("x");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "text");
  const asked = page.waitForEvent("dialog");
  const left = page.getByRole("link", { name: "Runs", exact: true }).click();
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await left;
  assert.match(page.url(), /rubrics\/edit/);
  await page.locator("#text").fill(onDisk(PROMPT));
});

test("criteria have their own reader's findings, and new files begin from templates", async () => {
  const page = await workbench("judges/reply.yaml");
  const text = onDisk("judges/reply.yaml");
  await page.locator("#text").fill(text.replace("    scale: [1, 5]", "    skale: [1, 5]"));
  const finding = page.locator(".finding", { hasText: "skale" });
  await finding.waitFor();
  assert.equal(await finding.getAttribute("data-line"), String(lineOf(text, "    scale: [1, 5]")));
  assert.match(await finding.innerText(), /did you mean `scale`/);
  await page.locator("#text").fill(text);
  await finding.waitFor({ state: "detached" });
  await page.getByText("No run and no file of cases has what this needs: message, reply.").waitFor();
  await accessible(page);

  await at(page, "/rubrics#new");
  const form = page.locator('form[data-new="behaviour"]');
  await form.getByLabel("What is asked").fill("Whether the note names the patient");
  await form.getByLabel("It is wrong if").fill("the name differs from the record");
  assert.equal(await form.getByLabel("File").inputValue(), "names_patient_prompt.md");
  await form.getByRole("button", { name: "Begin" }).click();
  await page.locator("#workbench[data-looked]").waitFor();
  await page.locator("#findings").getByText("Nothing is wrong").waitFor();
  assert.match(onDisk("names_patient_prompt.md"), /DESCRIPTION:\nWhether the note names the patient\.\n[\s\S]*- The name differs from the record\./);
  assert.deepEqual(page.problems, []);
});

test("on a phone nothing but tables scrolls sideways", async () => {
  const page = await openPage({ viewport: { width: 360, height: 740 } });
  for (const path of ["/rubrics", `/rubrics/file?path=${PROMPT}`, `/rubrics/edit?path=${PROMPT}`]) {
    await at(page, path);
    if (path.includes("edit")) await page.locator("#cases label").first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, path);
  }
  assert.deepEqual(page.problems, []);
});

test("no path leads out of the folder, and only rubrics are written", async () => {
  const outside = ["../secret_prompt.md", "/etc/passwd", "behaviours/../../x.yaml", "a\u0000.md"];
  for (const path of outside) {
    assert.equal((await site.api("GET", `/rubrics/file?path=${encodeURIComponent(path)}`)).status, 403, path);
    assert.equal((await site.api("POST", "/lint", { path, text: "" })).status, 403, path);
    assert.equal((await site.api("POST", "/rubrics/new", { template: "criteria", path: `${path}.yaml` })).status, 403, path);
    assert.equal((await site.api("POST", "/rubrics/try", { path, text: "", source: "run:last", cases: [0] })).status, 403, path);
    const page = await fetch(`${site.url}/rubrics/edit?path=${encodeURIComponent(path)}`);
    assert.equal(page.status, 403, path);
  }
  const put = (path, text) => site.api("PUT", "/rubrics/file", { path, text, base: "" });
  assert.equal((await put("../secret_prompt.md", "x")).status, 403);
  assert.equal((await put("behaviours/cases.jsonl", "x")).status, 422);
  assert.equal((await put(".github/workflows/x.yml", "x")).status, 403);
  assert.equal((await put("behaviours/suite.yaml", "x")).status, 422, "a suite is no rubric");
  assert.equal((await put("example:tree/rubrics/CN.yaml", "x")).status, 403);
  assert.equal((await put("none_prompt.md", "x")).status, 404);
  assert.equal((await put(PROMPT, "x")).status, 409, "without the version it started from");
  const from = encodeURIComponent("file:../../etc/passwd");
  assert.equal((await site.api("GET", `/rubrics/cases?path=${PROMPT}&source=${from}`)).status, 403);
});

test("what has one certain fix is fixed in the text area, and written only by writing it", async () => {
  const page = await workbench(PROMPT);
  const before = onDisk(PROMPT);
  const text = page.locator("#text");
  await text.fill(before.replace("Ignore:\n", "Ignore:\n-\n"));
  await page.getByText("remove the item").waitFor();
  await page.getByRole("button", { name: "Fix 1" }).click();
  await page.getByText("Nothing is wrong with this text.").waitFor();
  assert.equal(await text.inputValue(), before);
  assert.equal(onDisk(PROMPT), before);
  await accessible(page);
});
