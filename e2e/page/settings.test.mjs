// The judge's settings: controls that move figures, JSON both ways, profiles with versions, and other judges.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, assize, closeBrowser, openPage, startSite } from "./site.mjs";

const hostile = "<img src=x onerror=alert(1)>";

/** A fact. */
const fact = (id, fact_type, fields) => ({ id, fact_type, fields });

// Extractor a says 1,030 for 1,000 (3 % off) and gets the other right; b leaves one out and spells the bank in lower case.
const gold = [fact("g1", "assets", { value: 1000 }), fact("g2", "debts", { bank: "Hill & Co.", balance: 200 })];
const cases = [
  { id: "call", model: "a", transcript: "…", gold_facts: gold, predicted_facts: [fact("p1", "assets", { value: "1,030" }), fact("p2", "debts", { bank: "Hill & Co.", balance: 200 })] },
  { id: "call", model: "b", transcript: "…", gold_facts: gold, predicted_facts: [fact("p1", "debts", { bank: "hill & co.", balance: 200 })] },
  { id: "odd", model: "b", transcript: "…", gold_facts: [fact("g1", hostile, { x: hostile })], predicted_facts: [fact("p1", hostile, { x: hostile })] },
];

let site;
before(async () => {
  site = await startSite({
    files: {
      "facts/suite.yaml": "name: facts\njudge: {use: fact-extraction, settings: {profile: strict}}\ncases: cases.jsonl\n",
      "facts/cases.jsonl": cases.map((one) => JSON.stringify(one)).join("\n"),
    },
    setup: (site) => assize(site, "run", "facts/suite.yaml"),
  });
});
after(async () => {
  await closeBrowser();
  await site.stop();
});

/** The settings page, with everything drawn. */
async function open(path = "/settings?profile=strict") {
  const page = await openPage();
  await page.goto(site.url + path);
  await drawn(page);
  return page;
}

const drawn = (page) => page.waitForFunction(() => {
  const settings = document.getElementById("settings");
  return settings && !settings.hasAttribute("aria-busy");
});

/** What stands in a model's row: figures without their changes, and the changes. */
async function row(page, model) {
  const cells = await page.locator("[data-part=figures] table").first().locator("tr", { hasText: model }).locator("td[data-figure]").allTextContents();
  return cells.map((cell) => cell.trim());
}

const tolerance = (page) => page.getByLabel("Numeric tolerance in percent");
const json = (page) => page.locator("#settings-json");

async function moveTo(page, steps) {
  await tolerance(page).focus();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowRight");
  await drawn(page);
}

test("moving the tolerance by keyboard moves the figures, and the pairs that flip are listed", async () => {
  const page = await open();
  assert.deepEqual(await row(page, "a"), ["0.500", "0.500", "0.500", "1", "1", "1"]);
  await moveTo(page, 5);
  assert.equal(await page.getByLabel("Numeric tolerance", { exact: true }).inputValue(), "2.5");
  assert.deepEqual(await row(page, "a"), ["0.500", "0.500", "0.500", "1", "1", "1"]);
  assert.equal(await page.locator("[data-part=flips]").textContent(), "No pair flipped.");
  // 3 % is where 1,030 becomes 1,000: precision, recall and F1 of a go from a half to one.
  await moveTo(page, 1);
  assert.deepEqual(await row(page, "a"), ["1.000 +0.500", "1.000 +0.500", "1.000 +0.500", "2 +1", "0 -1", "0 -1"]);
  assert.deepEqual(await row(page, "b"), ["0.500", "0.333", "0.400", "1", "1", "2"]);
  const flip = page.locator("ul.flips li");
  assert.equal(await flip.count(), 1);
  assert.match(await flip.textContent(), /now a match assets call a · p1 ↔ g1.*1,030 = 1000 — 3\.00 % off, within 3 %/);
  // The command line says the same.
  const told = JSON.parse(assize(site, "whatif", "last", "--set", "numeric_tolerance_percent=3", "--json"));
  assert.deepEqual([told.after.a.f1, told.after.b.f1, told.flips.length], [1, 0.4, 1]);
  assert.match(await page.locator("svg.curve").first().getAttribute("aria-label"), /at 3 %: a 1\.000, b 0\.400/);
  // Unsaved settings are in the address: a reload shows the same.
  await tolerance(page).blur();
  await page.reload();
  await drawn(page);
  assert.deepEqual(await row(page, "a"), ["1.000 +0.500", "1.000 +0.500", "1.000 +0.500", "2 +1", "0 -1", "0 -1"]);
  assert.match(await page.locator("[data-part=changes]").textContent(), /numeric_tolerance_percent: 0 → 3/);
  await page.getByRole("button", { name: "Undo the change of numeric_tolerance_percent" }).click();
  await drawn(page);
  assert.equal(await tolerance(page).inputValue(), "0");
  await flip.waitFor({ state: "detached" });
  assert.deepEqual(page.problems, []);
});

test("scope, key fields and switches reach the rules", async () => {
  const page = await open();
  await page.getByRole("group", { name: "Fact types in scope" }).getByLabel("debts", { exact: true }).check();
  await drawn(page);
  assert.deepEqual((await row(page, "a")).slice(0, 3), ["1.000 +0.500", "1.000 +0.500", "1.000 +0.500"]);
  assert.deepEqual(await row(page, "b"), ["0.000 -0.500", "0.000 -0.333", "0.000 -0.400", "0 -1", "1", "1 -1"]);
  await page.getByLabel("Case-insensitive string comparison").check();
  await drawn(page);
  assert.deepEqual((await row(page, "b")).slice(0, 3), ["1.000 +0.500", "1.000 +0.667", "1.000 +0.600"]);
  await page.getByLabel("by fact type").check();
  await page.getByRole("group", { name: "debts" }).getByLabel("bank", { exact: true }).check();
  await drawn(page);
  const settings = JSON.parse(await json(page).inputValue());
  assert.deepEqual(settings.required_key_fields, { debts: ["bank"] });
  assert.deepEqual(settings.fact_types_in_scope, ["debts"]);
  // What a case calls its types is text and nothing else.
  assert.equal(await page.getByRole("group", { name: "Fact types in scope" }).getByLabel(hostile, { exact: true }).count(), 1);
  assert.deepEqual(page.problems, []);
});

test("JSON moves the controls; a mistake in it has a place and moves nothing", async () => {
  const page = await open();
  const settings = JSON.parse(await json(page).inputValue());
  await json(page).fill(JSON.stringify({ ...settings, numeric_tolerance_percent: 7.5, date_granularity: "year", allow_partial_matches: true }, null, 2));
  await page.waitForFunction(() => document.getElementById("set-date_granularity").value === "year");
  await drawn(page);
  assert.equal(await tolerance(page).inputValue(), "7.5");
  assert.equal(await page.getByLabel("Allow partial matches to still count as correct").isChecked(), true);
  const good = await json(page).inputValue();
  for (const [wrong, place, words] of [
    [good.replace("7.5", "120"), "line 4, column 32", "must be a number from 0 to 100, found the number 120"],
    [good.replace('"year"', '"yaer"'), "line 5, column 23", "did you mean year?"],
    [good.replace("7.5,", "7.5"), "line 5, column 3", "this is no JSON: expected , or }"],
    [good.replace("numeric_tolerance_percent", "tolerance"), "line 4, column 3", "unknown key tolerance"],
  ]) {
    await json(page).fill(wrong);
    const problem = page.locator("[data-part=problems] li");
    await problem.filter({ hasText: words }).waitFor();
    assert.match(await problem.textContent(), new RegExp(`^${place}`));
    assert.equal(await json(page).getAttribute("aria-invalid"), "true");
    assert.equal(await tolerance(page).inputValue(), "7.5", "the controls keep the last good state");
    assert.equal(await page.getByRole("button", { name: "Save as …" }).isDisabled(), true);
  }
  await page.getByRole("button", { name: "line 4, column 3" }).click();
  assert.equal(await json(page).evaluate((text) => text.value.slice(text.selectionStart, text.selectionEnd)), '"tolerance"');
  await json(page).fill(good);
  await page.locator("[data-part=problems] li").waitFor({ state: "detached" });
  assert.equal(await json(page).getAttribute("aria-invalid"), "false");
  assert.deepEqual(page.problems, []);
});

test("a profile is saved, changed, restored, deleted and brought back", async () => {
  const page = await open();
  await moveTo(page, 4);
  await page.getByRole("button", { name: "Save as …" }).click();
  await page.getByLabel("Name").fill("strict");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("is built in and stays as it is").waitFor();
  await page.getByLabel("Name").fill("acme");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.waitForURL(/profile=acme/);
  await page.getByText("Saved acme@1.").waitFor();
  await page.reload();
  assert.equal(await tolerance(page).inputValue(), "2");
  assert.equal(await page.getByRole("button", { name: "Save", exact: true }).isDisabled(), true);
  await moveTo(page, 6);
  await page.keyboard.press("Control+s");
  await page.getByText("Saved acme@2.").waitFor();
  const versions = page.locator("table.versions tbody tr");
  assert.equal(await versions.count(), 2);
  assert.match(await versions.first().textContent(), /acme@2 newest.*numeric_tolerance_percent: 2 → 5/);
  await page.getByRole("button", { name: "Restore acme@1" }).click();
  await page.getByText("Version 1 is restored as acme@3.").waitFor();
  assert.equal(await tolerance(page).inputValue(), "2");
  // An old version can be looked at.
  await page.getByRole("link", { name: "acme@2" }).click();
  await page.getByText("This is version 2 of 3.").waitFor();
  assert.equal(await tolerance(page).inputValue(), "5");
  await page.getByText("Go to the newest").click();
  await page.waitForURL(/profile=acme(&|$)/);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("was deleted").waitFor();
  assert.equal(await page.locator("#profile option", { hasText: "acme" }).count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("acme is back.").waitFor();
  assert.equal(await versions.count(), 3, "no version more than before");
  assert.match(assize(site, "profile", "list"), /acme +fact-extraction +3 /);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("Saved acme copy@1.").waitFor();
  await page.locator("#profile").selectOption("acme");
  await page.waitForURL(/profile=acme(&|$)/);
  await page.getByLabel("Judge model").fill("offline");
  await page.getByRole("button", { name: "Choose a suite …" }).click();
  await page.waitForURL(/\/new\?/);
  await page.waitForFunction(() => document.getElementById("profile").value === "acme@3");
  assert.deepEqual([await page.getByLabel("Judge model").inputValue(), await page.locator("input[name=suite]:checked").inputValue()], ["offline", "facts/suite.yaml"]);
  assert.deepEqual(page.problems.filter((problem) => !/status of (404|422)/.test(problem)), []);
});

test("settings are exported and imported as JSON", async () => {
  const page = await open("/settings?profile=lenient");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "lenient.json");
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const exported = JSON.parse(Buffer.concat(chunks).toString());
  assert.deepEqual(exported, { ...exported, numeric_tolerance_percent: 5, date_granularity: "month", profile_name: "lenient" });
  const imported = Buffer.from(JSON.stringify({ ...exported, profile_name: "from a file", numeric_tolerance_percent: 12 }));
  await page.setInputFiles("#import-file", { name: "theirs.json", mimeType: "application/json", buffer: imported });
  await page.getByText("theirs.json is shown and not saved yet.").waitFor();
  await page.waitForFunction(() => document.getElementById("set-numeric_tolerance_percent").value === "12");
  await page.getByRole("button", { name: "Save as …" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "from a file");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.setInputFiles("#import-file", { name: "wrong.json", mimeType: "application/json", buffer: Buffer.from('{"tolerance": 1}') });
  await page.locator("[data-part=problems]", { hasText: "line 1, column 2 unknown key tolerance" }).waitFor();
  assert.deepEqual(page.problems, []);
});

test("two profiles stand side by side", async () => {
  const page = await open("/settings?profile=strict");
  await page.locator("#beside").selectOption("lenient");
  const beside = page.locator("[data-part=beside]");
  await beside.locator("table.settings-table").waitFor();
  await page.waitForURL(/beside=lenient/);
  assert.deepEqual(await beside.locator("tr.differs th").allTextContents(), [
    "numeric_tolerance_percent", "date_granularity", "ignore_minor_wording_diffs", "case_insensitive_strings", "require_all_fields_match", "allow_partial_matches",
  ]);
  const cells = await beside.locator("table.figures tbody tr").first().locator("td[data-figure]").allTextContents();
  assert.deepEqual(cells.map((cell) => cell.trim()).slice(0, 3), ["0.500 -0.500", "0.500 -0.500", "0.500 -0.500"]);
  assert.match(await beside.locator(".flipped").textContent(), /2 pairs flipped: 0 only under strict, 2 only under lenient/);
  assert.deepEqual(page.problems, []);
});

test("the question changes with the controls", async () => {
  const page = await open();
  await page.getByText("The question this produces").click();
  const question = page.locator("[data-part=question]");
  await question.getByText("1,030").waitFor();
  assert.doesNotMatch(await question.textContent(), /Mind the commas/);
  await page.getByLabel("Advanced judge notes (optional)").fill("Mind the commas.");
  await question.getByText("Mind the commas.").waitFor();
  await page.locator("#question-case").fill("3");
  await question.getByText("odd · b, one of 3 cases").waitFor();
  assert.deepEqual(page.problems, []);
});

test("other judges have forms made from what they declare", async () => {
  const page = await open("/settings?judge=transcript-quality");
  await page.getByLabel("Fidelity").fill("0.7");
  await page.getByLabel("Punctuation").uncheck();
  await drawn(page);
  const settings = JSON.parse(await json(page).inputValue());
  assert.deepEqual([settings.weights.fidelity, settings.normalisation], [0.7, { unicode: true, case: true, punctuation: false, whitespace: true, drop_annotations: false }]);
  await json(page).fill(JSON.stringify({ ...settings, weights: { fidelity: 0, omissions: 0, insertions: 0, overall: 0 } }));
  await page.getByText("the weights add up to zero").waitFor();
  await json(page).fill(JSON.stringify(settings));
  await page.locator("[data-part=problems] li").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save as …" }).click();
  await page.getByLabel("Name").fill("by the letter");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved by the letter@1.").waitFor();
  assert.equal(await page.getByLabel("Fidelity").inputValue(), "0.7");
  const kept = (await site.api("GET", "/profiles/by%20the%20letter")).value;
  assert.deepEqual([kept.judge, kept.versions[0].settings.weights.fidelity], ["transcript-quality", 0.7]);
  for (const judge of ["call-intelligence", "rubric-tree"]) {
    await page.goto(`${site.url}/settings?judge=${judge}`);
    await drawn(page);
    await accessible(page);
  }
  assert.deepEqual(page.problems, []);
});

test("figures over many cases come behind the page", async () => {
  const many = Array.from({ length: 320 }, (_, number) => ({ ...cases[0], id: `c${number}` }));
  const large = await startSite({
    files: {
      "suite.yaml": "name: many\njudge: {use: fact-extraction}\ncases: cases.jsonl\n",
      "cases.jsonl": many.map((one) => JSON.stringify(one)).join("\n"),
    },
    setup: (site) => assize(site, "run", "suite.yaml"),
  });
  try {
    const page = await openPage();
    await page.goto(`${large.url}/settings`);
    await page.getByText("Over 320 cases of many").waitFor();
    assert.deepEqual(await row(page, "a"), ["0.500", "0.500", "0.500", "320", "320", "320"]);
    await page.locator("svg.curve").waitFor();
    await page.getByRole("group", { name: "Fact types in scope" }).getByLabel("assets", { exact: true }).waitFor();
    await moveTo(page, 6);
    assert.match(await page.locator("[data-part=flips]").textContent(), /^320 pairs flipped: 320 now a match, 0 no longer\..*And 280 more\.$/);
    assert.deepEqual(page.problems, []);
  } finally {
    await large.stop();
  }
});

test("nothing stands in anybody's way", async () => {
  const page = await open(`/settings?profile=strict&beside=lenient&case=1&edit=${encodeURIComponent('{"numeric_tolerance_percent": 3}')}`);
  await page.locator("[data-part=question] pre").first().waitFor();
  await accessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), true, "no sideways scrolling");
  assert.deepEqual(page.problems, []);
});
