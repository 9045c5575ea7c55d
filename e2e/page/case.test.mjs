// The page of a case: what is marked, what lights up together, what people say of it, and what a hostile text cannot do.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { accessible, binary, closeBrowser, openPage, startSite } from "./site.mjs";

let site;
before(async () => { site = await startSite({ demo: true }); });
after(async () => { await closeBrowser(); await site.stop(); });

/** The address of a case of an example, by its id and the model under test. */
async function address(suite, id, model, repetition) {
  const { value: { runs } } = await site.api("GET", "/runs");
  const run = runs.find((run) => run.suite === `${suite}-example`);
  for (let position = 0; position < run.cases.total; position += 1) {
    const { value } = await site.api("GET", `/runs/${run.run_id}/cases/${position}`);
    const wanted = value.case.id === id && value.case.model === model && value.case.inputs.run === repetition;
    if (wanted) return `/runs/${run.run_id}/cases/${position}`;
  }
  throw new Error(`${suite} has no case ${id} of ${model}`);
}

async function open(path, options) {
  const page = await openPage(options);
  const response = await page.goto(site.url + path);
  assert.equal(response.status(), 200, path);
  return page;
}

const pane = (page, title) => page.locator(".pane", { has: page.getByRole("heading", { name: title, exact: true }) });
const lit = (page) => page.locator(".lit").allTextContents();

/** Nothing went wrong, nobody is shut out, and a phone need not scroll sideways. */
async function fine(page) {
  await accessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  const [wide, narrow] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= narrow, `${page.url()} is ${wide} wide on ${narrow}`);
  assert.deepEqual(page.problems, []);
  await page.close();
}

test("a transcript is marked against its reference, and both sides light up together", async () => {
  const page = await open(await address("transcript-quality", "pharmacy-warfarin", "recogniser-b"));
  assert.deepEqual(await pane(page, "reference").locator("del").allTextContents(), ["not"]);
  const gap = pane(page, "transcript").locator("mark.gap");
  assert.equal(await gap.getAttribute("title"), "left out here: “not”");
  await pane(page, "reference").locator("del").hover();
  assert.deepEqual(await lit(page), ["not", "‸"]);
  await page.mouse.move(0, 0);
  assert.deepEqual(await lit(page), []);
  await page.keyboard.press("n");
  assert.deepEqual(await lit(page), ["not", "‸"], "the keys go from mark to mark");
  assert.match(await page.locator("table.figures").innerText(), /wer\s+0\.026\s+39\s+code\s+hits 38, substitutions 0, insertions 0, deletions 1/);
  await fine(page);
});

test("wrong equations stand where they are written", async () => {
  const page = await open(await address("reasoning-trace", "bakery-rolls", "solver-small"));
  const wrong = pane(page, "response").locator("mark.wrong");
  assert.deepEqual(await wrong.allTextContents(), ["14 × 12 = 158 rolls", "158 - 95 = 73"]);
  assert.equal(await wrong.first().getAttribute("title"), "does not hold: 168 is not 158");
  assert.equal(await pane(page, "response").locator("ol > li").count(), 4);
  assert.match(await page.locator(".flags").innerText(), /wrong_arithmetic An equation in the text does not hold\./);
  await fine(page);
});

test("a behaviour's evidence lights up in the texts", async () => {
  const page = await open(await address("behaviours", "kitchen-fire", "notes-b"));
  const row = page.locator("table.rulings tr", { hasText: "FAC-DOL" });
  assert.match(await row.innerText(), /fail/);
  await row.locator("mark", { hasText: "2026-02-12" }).hover();
  await pane(page, "candidate output").locator("mark.lit", { hasText: "2026-02-12" }).waitFor();
  assert.equal(await pane(page, "ground truth").locator("mark.lit").count(), 0);
  await fine(page);
});

test("a call is read question by question, with evidence in the transcript", async () => {
  const page = await open(await address("call-intelligence", "refund-en-qa", "breve"));
  const row = (id) => page.locator("table.rulings tr", { has: page.locator("b", { hasText: new RegExp(`^${id}$`) }) });
  assert.match((await row("Q3").innerText()).replaceAll(/\s+/g, " "), /Q3 Offer of help pass or fail 2 of 2 0 wrong 1\.000/);
  assert.equal(await row("Q14").locator("mark.wrong").innerText(), "your money comes back tomorrow morning");
  await row("Q10").locator("td > mark.cited").hover();
  await pane(page, "transcript").locator("mark.cited.lit", { hasText: "I can see the duplicate charge of $49" }).waitFor();
  await fine(page);
});

test("the other tasks of a call: entities, summary, translation, structure", async () => {
  const entities = await open(await address("call-intelligence", "refund-en-entity", "breve"));
  const outcomes = await entities.locator("table.rulings tbody tr").evaluateAll(
    (rows) => rows.map((row) => `${row.querySelector("b").textContent}: ${row.querySelector(".rating").textContent}`),
  );
  assert.deepEqual(outcomes, [
    "KYC: missed", "voucher: missed", "cancel: fabricated", "refund_policy: missed", "identity_verification: missed",
    "network_outage: fabricated", "refund: found", "account: found", "billing: found",
  ]);
  await fine(entities);
  const translation = await open(await address("call-intelligence", "refund-en-translation", "breve"));
  const sentences = await translation.locator("article.sentence").evaluateAll((all) => all.map((one) => one.querySelector("b").textContent));
  assert.deepEqual(sentences.slice(0, 3), ["5", "8", "12"], "the least alike first");
  assert.match(await translation.locator("article.sentence").first().innerText(), /likeness 0\.000\s+given not translated/);
  await fine(translation);
  const summary = await open(await address("call-intelligence", "refund-en-text", "breve"));
  assert.match(await summary.locator("main").innerText(), /Customer calling about a duplicate charge a part of it/);
  await fine(summary);
  const broken = await open(await address("call-intelligence", "recharge-hi-qa", "coda", 2));
  assert.match(await broken.locator(".notice").innerText(), /questions\[0\]\.reason is probably renamed to questions\[0\]\.reasoning/);
  await fine(broken);
});

test("facts stand side by side, each field with why", async () => {
  const page = await open(await address("fact-extraction", "first-home", "extractor-a"));
  const facts = await page.locator("article.fact").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.deepEqual(facts, ["g1, found", "p1, TP right", "g2, found", "p2, TP right", "g3, FN missed"]);
  await page.locator("article.fact").nth(3).focus();
  const partners = await page.locator("article.fact.lit").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.deepEqual(partners, ["g2, found", "p2, TP right"]);
  const other = await open(await address("fact-extraction", "first-home", "extractor-b"));
  assert.match(await other.locator("article.fact", { hasText: "p1" }).innerText(), /flat in Leeds ✗ the case differs/);
  await other.close();
  await fine(page);
});

test("keys go to the next case and back to the same list", async () => {
  const path = await address("reasoning-trace", "bakery-rolls", "solver-small");
  const list = "?model=solver-small&tag=arithmetic";
  const page = await open(path + list);
  assert.equal(await page.locator('a[data-move="previous"]').count(), 0, "the first of its model is the first of the list");
  await page.keyboard.press("j");
  await page.waitForURL((url) => /cases\/[3-9]$|cases\/1\d$/.test(url.pathname) && url.search === list);
  assert.match(await page.locator(".judgment").innerText(), /solver-small/);
  await page.keyboard.press("k");
  await page.waitForURL(site.url + path + list);
  await page.keyboard.press("u");
  await page.waitForURL(site.url + path.replace(/\/cases\/.*/, `${list}#cases`));
  await page.goto(site.url + path.replace(/\d+$/, "0"));
  assert.equal(await page.locator('a[data-move="previous"]').count(), 0, "there is nothing before the first");
  const missing = await page.goto(site.url + path.replace(/\d+$/, "999"));
  assert.equal(missing.status(), 404);
  assert.match(await page.locator("main").innerText(), /has no case at “999”/);
  await page.close();
});

test("a person says that the judge is wrong, sees it, and takes it back", async () => {
  const path = await address("reasoning-trace", "bakery-rolls", "solver-small");
  const page = await open(path);
  await page.getByLabel("Wrong").check();
  await page.getByLabel("It should have been").selectOption("reject");
  await page.getByLabel("Why").fill("Two errors <b>cancel</b> out.");
  await page.getByLabel("Your name").fill("Ann");
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Save correction" }).click()]);
  const said = page.locator(".said li");
  assert.match(await said.innerText(), /wrong should be reject Ann, .*\n*Two errors <b>cancel<\/b> out\./s);
  assert.equal(await page.getByLabel("Your name").inputValue(), "Ann", "the name is remembered");
  await accessible(page);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Withdraw" }).click()]);
  assert.match(await said.innerText(), /withdrawn/);
  assert.equal(await page.getByRole("button", { name: "Withdraw" }).count(), 0);
  const { value: { labels } } = await site.api("GET", `${path}/labels`);
  assert.equal(labels.length, 1);
  const { value, corrected, by_whom, judge_use, item } = labels[0];
  assert.deepEqual([value, corrected, by_whom, judge_use, item], ["wrong", "reject", "Ann", "reasoning-trace", "judgment"]);
  assert.ok(labels[0].withdrawn !== null && labels[0].content.length === 32);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("labels over the API: what is wrong is said, and nothing is lost", async () => {
  const path = `${await address("transcript-quality", "pharmacy-warfarin", "recogniser-b")}/labels`;
  const added = await site.api("POST", path, { value: "right", by_whom: " Bo " });
  assert.deepEqual([added.status, added.value.by_whom, added.value.note], [201, "Bo", ""]);
  for (const [body, status] of [
    [{ value: "right", by_whom: " " }, 422], [{ value: "maybe", by_whom: "Bo" }, 422], [{ by_whom: "Bo" }, 422],
    [{ value: "wrong", by_whom: "x".repeat(201) }, 422], [{ value: "wrong", by_whom: "Bo", verdict: "x" }, 422],
  ]) assert.equal((await site.api("POST", path, body)).status, status, JSON.stringify(body));
  assert.equal((await site.api("POST", path.replace(/cases\/\d+/, "cases/999"), { value: "right", by_whom: "Bo" })).status, 404);
  assert.equal((await site.api("DELETE", `${path}/0000`)).status, 404);
  assert.equal((await site.api("DELETE", `${path}/${added.value.id}`)).status, 200);
  assert.equal((await site.api("GET", path)).value.labels.length, 1);
  const bare = await fetch(`${site.url}/api/v1${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  assert.equal(bare.status, 401, "a change needs the token");
});

test("a hostile text is shown as text, whatever it is", async () => {
  const attack = "<script>window.hacked = 1; alert(1)</script></textarea><img src=x onerror=\"window.hacked = 1\">"
    + "\u001b[31mred\u0000\u202Ereversed\u200Bhidden &amp; 'quoted\" ";
  const long = `start ${"a".repeat(200_000)}`;
  const cases = [
    { id: `${attack}id`, model: attack, tags: [attack], reference: attack, transcript: `${attack}more`, metadata: { note: attack } },
    { id: "long", reference: long, transcript: `${long} end` },
    { id: "words", reference: "one two three four ".repeat(11_000), transcript: "one two tree four ".repeat(11_000) },
  ];
  const files = {
    "suite.yaml": "name: hostile\njudge: {use: transcript-quality}\ncases: [cases.jsonl]\n",
    "cases.jsonl": cases.map((record) => JSON.stringify(record)).join("\n"),
  };
  const other = await startSite({ files, setup: async (made) => { await promisify(execFile)(binary, ["run", "suite.yaml"], { cwd: made.folder, env: made.env }); } });
  try {
    const page = await openPage();
    page.on("dialog", (dialog) => { page.problems.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
    await page.goto(`${other.url}/runs/last/cases/0`);
    const shown = await pane(page, "reference").locator(".text").textContent();
    // The sign that the other text has something here is ours.
    assert.equal(shown.replace("‸", ""), attack.replace("\u001b", "␛").replace("\u0000", "␀").replace("\u202E", "⟨U+202E⟩").replace("\u200B", "⟨U+200B⟩"));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("main script, main img").count(), 0);
    assert.deepEqual(await pane(page, "transcript").locator("ins").allTextContents(), ["more"]);
    await accessible(page);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const position of [0, 1, 2]) {
        await page.goto(`${other.url}/runs/last/cases/${position}`);
        const [wide, narrow] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        assert.ok(wide <= narrow, `case ${position} is ${wide} wide on ${narrow}`);
      }
    }
    await page.goto(`${other.url}/runs/last/cases/1`);
    const text = pane(page, "reference").locator(".text");
    assert.equal((await text.textContent()).length, 30_000);
    await pane(page, "reference").getByRole("link", { name: "Show all 201 kB" }).click();
    await page.waitForURL(/whole=1/);
    assert.equal((await text.textContent()).replace("‸", ""), long);
    await page.goto(`${other.url}/runs/last/cases/2?whole=1`);
    assert.equal(await pane(page, "transcript").locator("mark.changed").count(), 11_000);
    assert.deepEqual(page.problems, []);
    await page.close();
  } finally {
    await other.stop();
  }
});

/** A model that says what it is told to, in the form of chat completions. */
async function model(reply) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const message = { role: "assistant", content: JSON.stringify(reply) };
      const usage = { prompt_tokens: 1234, completion_tokens: 56 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ model: "judge-1", choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop: () => server.close() };
}

test("behind a fold stand the question, the reply, what it took, and whether it was asked for", async () => {
  const claims = { overall_score: 0.9, verdict: "approve" };
  const reply = {
    reasoning: "It says “2 + 2 = 5”, which is wrong, and “so the sky is green”.", issues: ["the step '2 + 2 = 5'"], suggestions: [],
    scores: { completeness: 0.5, accuracy: 0, reasoning_validity: 0.5, answer_correctness: 0, clarity: 1 }, ...claims,
  };
  const judge = await model(reply);
  const suite = (models) => "name: trace\n"
    + `judge: {use: reasoning-trace, model: ${models}}\ncases: [cases.jsonl]\n`
    + `providers:\n  local: {base_url: '${judge.url}', api_key_env: TRIAL_KEY}\n`;
  const files = {
    "suite.yaml": suite("'local:judge'"), "jury.yaml": suite("['local:judge', 'local:other']"),
    "cases.jsonl": JSON.stringify({ id: "sum", problem: "What is 2 + 2?", response: "Well, 2 + 2 = 5. Answer: 5", expected_answer: "4" }),
  };
  const run = (made, file) => promisify(execFile)(binary, ["run", file], { cwd: made.folder, env: made.env });
  const setup = async (made) => { await run(made, "suite.yaml"); await run(made, "jury.yaml"); };
  const other = await startSite({ files, env: { TRIAL_KEY: "sk-secret-of-the-test" }, setup });
  try {
    const { value: { runs } } = await other.api("GET", "/runs");
    const page = await openPage();
    await page.goto(`${other.url}/runs/${runs[1].run_id}/cases/0`);
    const summary = page.locator("details.answer > summary");
    assert.match(await summary.innerText(), /local:judge · 1,234 tokens in, 56 out · price not known · .* · asked in this run/);
    await summary.click();
    const fold = await page.locator("details.answer").innerText();
    for (const part of ["Answered by", "judge-1", "You judge a worked answer", "What is 2 + 2?", "so the sky is green", "\"answer_correctness\""]) {
      assert.ok(fold.includes(part), `${part} in ${fold}`);
    }
    assert.ok(!(await page.content()).includes("sk-secret-of-the-test"));
    const claimed = await page.locator("table", { hasText: "Claimed" }).innerText();
    assert.match(claimed, /overall_score\s+0\.9\s+0\.4\s+differs/);
    assert.match(claimed, /verdict\s+approve\s+reject\s+differs/);
    const reason = page.locator(".reason");
    assert.equal(await reason.locator("mark.wrong").innerText(), "so the sky is green");
    await reason.locator("mark.cited").hover();
    await pane(page, "response").locator("mark.lit", { hasText: "2 + 2 = 5" }).waitFor();
    await accessible(page);
    await page.goto(`${other.url}/runs/${runs[0].run_id}/cases/0`);
    const kept = await page.locator("details.answer > summary").allInnerTexts();
    assert.match(kept[0], /cache hit$/, "the jury's first juror had answered before");
    assert.match(kept[1], /asked in this run$/);
    await page.getByRole("link", { name: "local:other" }).click();
    await page.waitForURL(/juror=local%3Aother/);
    await accessible(page);
    const { value } = await other.api("GET", `/runs/${runs[1].run_id}/cases/0`);
    assert.equal(value.answers[0].answer.provenance.usage.input_tokens, 1234);
    assert.deepEqual(page.problems, []);
    await page.close();
  } finally {
    judge.stop();
    await other.stop();
  }
});

test("a case that could not be judged says why and what to do", async () => {
  const files = {
    "suite.yaml": "name: facts\njudge: {use: fact-extraction}\ncases: [cases.jsonl]\n",
    "cases.jsonl": [
      { id: "no-gold", transcript: "I earn 10.", predicted_facts: [{ id: "p1", fact_type: "income", fields: { amount: "10" } }] },
      { id: "gold", transcript: "I earn 10.", predicted_facts: [], gold_facts: [] },
    ].map((line) => JSON.stringify(line)).join("\n"),
  };
  // It ends with 3: some cases could not be judged.
  const setup = (made) => promisify(execFile)(binary, ["run", "suite.yaml"], { cwd: made.folder, env: made.env }).catch(() => {});
  const other = await startSite({ files, setup });
  try {
    const page = await openPage();
    await page.goto(`${other.url}/runs/last/cases/0`);
    const notice = await page.locator(".notice").innerText();
    assert.match(notice, /This case could not be judged: .*gold_facts/);
    assert.match(notice, /Name a model in the suite's `judge\.model`/);
    assert.match(await pane(page, "predicted facts").innerText(), /"amount": "10"/);
    await accessible(page);
    assert.deepEqual(page.problems, []);
    await page.close();
  } finally {
    await other.stop();
  }
});
