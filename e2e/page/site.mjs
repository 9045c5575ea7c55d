// A served folder and a browser on it, for the tests beside this file. Nothing is doubled: the real binary on loopback,
// a real store in a temporary folder, Debian's Chromium.

import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const binary = process.env.ASSIZE_BIN ?? new URL("../../target/debug/assize", import.meta.url).pathname;

const token = "a-token-for-the-tests-only";

/** Runs a command of the binary in a site's folder and gives what it printed. */
export function assize(site, ...args) {
  return execFileSync(binary, args, { cwd: site.folder, env: site.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Serves a new folder: `files` by their paths, the bundled examples judged if `demo`, `setup` before serving. */
export async function startSite({ demo = false, files = {}, env = {}, setup = () => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assize-page-"));
  // The user of these tests lets the model servers on loopback have their key.
  const allowed = { ".config/assize/keys.toml": 'TRIAL_KEY = ["127.0.0.1"]\n' };
  for (const [path, text] of Object.entries({ ...allowed, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const site = { folder, token, env: { PATH: process.env.PATH, HOME: folder, ...env } };
  if (demo) assize(site, "demo", "--no-serve");
  await setup(site);
  const server = spawn(binary, ["serve", "--addr", "127.0.0.1:0", "--no-open"], {
    cwd: folder, env: { ...site.env, ASSIZE_TOKEN: token }, stdio: ["ignore", "pipe", "inherit"],
  });
  // Whatever becomes of the test, its server does not outlive it.
  process.on("exit", () => server.kill("SIGKILL"));
  const lines = createInterface({ input: server.stdout });
  site.url = await new Promise((found, failed) => {
    lines.on("line", (line) => { const match = /(http:\/\/\S+)/.exec(line); if (match) found(match[1]); });
    server.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
  });
  site.stop = () => new Promise((stopped) => {
    sites.splice(sites.indexOf(site), 1);
    server.removeAllListeners("exit");
    server.on("exit", () => { rmSync(folder, { recursive: true, force: true }); stopped(); });
    server.kill("SIGINT");
  });
  sites.push(site);
  for (const context of contexts) await context.addCookies([await session(site)]);
  /** Asks the API as a program would. */
  site.api = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${site.url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, value: text === "" ? null : JSON.parse(text) };
  };
  return site;
}

let browser;

/** The sites that were started; every page is signed in to all of them. */
const sites = [];
const contexts = new Set();

/** A session, as a browser gets it by the link that the server printed. */
async function session(site) {
  const response = await fetch(`${site.url}/?token=${token}`, { redirect: "manual" });
  const [name, value] = response.headers.get("set-cookie").split(";")[0].split("=");
  return { name, value, url: site.url, httpOnly: true, sameSite: "Strict" };
}

/** A new page; whatever goes wrong in it makes the test fail. `problems` holds what did. */
export async function openPage(options = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addCookies(await Promise.all(sites.map(session)));
  contexts.add(context);
  context.on("close", () => contexts.delete(context));
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  return page;
}

/** Ends the browser; called once after all tests of a file. */
export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** Nothing serious in the way of anybody, light and dark. */
export async function accessible(page, schemes = ["light", "dark"]) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const told = grave.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.slice(0, 5).map((node) => node.html).join("\n  ")}`);
    assert.equal(told.join("\n"), "", `${page.url()} in ${colorScheme}`);
  }
}
