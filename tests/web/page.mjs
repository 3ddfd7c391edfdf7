/* Drives the console's page in Chromium.  Standard input: {"url","shots","modules"}; it speaks with
 * daemon-console-page over standard output: `want NAME` asks it to start a run, `ok`/`not ok` are results. */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { mkdirSync } from "node:fs";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value);
const given = await next();
const require = createRequire(given.modules + "/");
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");
const out = (text) => process.stdout.write(text + "\n");
const want = async (what, more) => { out("want " + JSON.stringify({ what, ...more })); return next(); };
/* How it ended, when the page has noticed it, too. */
const ended = async (run) => {
  const end = await want("end", { id: run.id });
  await page.waitForFunction(() => !document.querySelector("#asks article"));
  return end;
};
const must = (truth, why) => { if (!truth) throw new Error(why); };
mkdirSync(given.shots, { recursive: true });

const browser = await chromium.launch({ executablePath: given.chromium, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1100, height: 1400 } });
const page = await context.newPage();
const asked = [], problems = [];
page.on("request", (r) => asked.push(r.url()));
page.on("console", (m) => { if (m.type() === "error" && !/status of 40[149]|net::ERR/.test(m.text())) problems.push(m.text()); });
page.on("pageerror", (e) => problems.push(String(e)));
page.on("dialog", (d) => { problems.push("a dialog: " + d.message()); d.dismiss(); });
page.setDefaultTimeout(15000);

const view = (name) => page.click(`nav button[data-view=${name}]`);
const shot = (name, fullPage = true) => page.screenshot({ path: `${given.shots}/${name}.png`, fullPage });

async function axeClean(name) {
  await page.evaluate(() => document.activeElement && document.activeElement.blur());
  await page.evaluate(await (await import("node:fs")).promises.readFile(axe, "utf8"));
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  must(found.violations.length === 0, `${name}: ` + found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")}`).join(" | "));
}

const cases = {
  async opens() {
    await page.goto(given.url);
    await page.waitForFunction(() => document.getElementById("link").textContent === "live");
    must(!page.url().includes("#"), "the token stays in the address");
    must((await context.cookies()).length === 0, "there is a cookie");
    must((await page.textContent("#asks-none")).includes("No open questions"), "not empty");
  },
  async approve() {
    const run = await want("ask", { command: "elfedit --version one && echo done" });
    await page.waitForSelector("article .once");
    must((await page.textContent("article .command")) === "elfedit --version one && echo done", "command");
    must((await page.textContent("#asks-count")) === "1", "count");
    must((await page.title()).startsWith("(1)"), "title");
    must((await page.$$("article .part.ask")).length > 0, "its part is not marked");
    await axeClean("approvals");
    await shot("approvals");
    await page.click("article .once");
    await page.waitForSelector("article .once", { state: "detached" });
    must((await ended(run)).status === 0, "it did not run");
  },
  async reject() {
    const run = await want("ask", { command: "elfedit --version two" });
    await page.waitForSelector("article .reject");
    await page.fill("article input[name=message]", "not <i>now</i>");
    await page.click("article .reject");
    const end = await ended(run);
    must(end.status === 126 && end.err.includes("not <i>now</i>"), JSON.stringify(end));
  },
  async keyboard() {
    const run = await want("ask", { command: "elfedit --version three" });
    await page.waitForSelector("article .once:enabled");
    await page.focus("nav button");
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.classList.contains("once"))) break;
    }
    await page.keyboard.press("Enter");
    must((await ended(run)).status === 0, "not by keyboard");
    must(await page.evaluate(() => document.activeElement.id === "approvals-title"), "the focus is lost");
  },
  async allowlist() {
    const run = await want("ask", { command: "elfedit --version four" });
    await page.waitForSelector("article .rule");
    await page.selectOption("article select[name=level]", "exact");
    must((await page.textContent("article .rule")).includes('allow "elfedit" "--version" "four" exactly'), "the line is not shown");
    await page.click("article .allowlist");
    must((await ended(run)).status === 0, "it did not run");
    must((await want("rules")).text.endsWith('allow "elfedit" "--version" "four" exactly\n'), "no rule");
    must((await want("run", { command: "elfedit --version four" })).status === 0, "asked again");
  },
  async destructive() {
    const run = await want("ask", { command: "rm -rf precious" });
    await page.waitForSelector("article .lost");
    must((await page.textContent("article .lost")).includes("precious: 2 files"), "no blast radius");
    await shot("destructive");
    await page.click("article .reject");
    must((await ended(run)).status === 126, "ran");
  },
  async hostile() {
    const command = "elfedit '<img src=x onerror=alert(1)>' '</pre><script>alert(2)</script>' '\u202egpj' '\u001b[31m' \"javascript:alert(3)\"";
    const run = await want("ask", { command });
    await page.waitForSelector("article .command");
    const text = await page.textContent("article .command");
    must(text.includes("<img src=x onerror=alert(1)>") && text.includes("</script>"), "text: " + text);
    must(text.includes("\\u{202e}") && text.includes("\\x1b[31m") && !text.includes("\u202e"), "not escaped: " + text);
    must((await page.$$("article img, article script")).length === 0, "it became markup");
    await page.click("article .reject");
    await ended(run);
    await view("timeline");
    await page.waitForFunction(() => document.getElementById("log").textContent.includes("onerror"));
    must((await page.$$("#log img, #log script")).length === 0, "it became markup in the timeline");
    await view("approvals");
  },
  async live() {
    const run = await want("ask", { command: "echo begin '<img src=x onerror=alert(4)>' '\u202e'; for i in 1 2 3; do echo line $i; done; until test -e go-on; do sleep 0.1; done; for i in 4 5 6; do echo line $i; done; sleep 62.5" });
    await view("runs");
    await page.waitForSelector("#runs-list article");
    await page.waitForFunction(() => document.querySelector("#runs-list .output").textContent.includes("line 2"));
    must(!(await page.textContent("#runs-list .output")).includes("line 6"), "all at once");
    await want("make", { name: "go-on" });
    await page.waitForFunction(() => document.querySelector("#runs-list .output").textContent.includes("line 6"));
    const said = await page.textContent("#runs-list .output");
    must(said.includes("<img src=x onerror=alert(4)>") && said.includes("\\u{202e}"), "output: " + said);
    must((await page.$$("#runs-list img")).length === 0, "output became markup");
    must(/Memory\d/.test(await page.textContent("#runs-list .facts")), "no use of memory");
    await axeClean("runs");
    await shot("runs");
    await page.click("#runs-list .stop");
    const end = await ended(run);
    must(end.status !== 0, "it ended by itself");
    /* What it said can still be read. */
    await page.waitForSelector("#runs-list article.over:first-child");
    must((await page.textContent("#runs-list article.over:first-child .output")).includes("line 6"), "the output is gone");
    must(await page.isHidden("#runs-count"), "it still counts as running");
    while (await page.$("#runs-list .clear")) await page.click("#runs-list .clear");
    await page.waitForSelector("#runs-none:visible");
    await shot("runs-none");
  },
  /* A question that goes away moves the others up: for a moment nothing is accepted. */
  async moving() {
    await view("approvals");
    const first = await want("ask", { command: "elfedit --version up" });
    await page.waitForSelector("#asks article");
    const second = await want("ask", { command: "touch never; elfedit --version down" });
    await page.waitForFunction(() => document.querySelectorAll("#asks article").length === 2);
    await page.waitForFunction(() => [...document.querySelectorAll("#asks .once")].every((b) => !b.disabled));
    const held = await page.evaluate(() => new Promise((go) => {
      const [one, two] = document.querySelectorAll("#asks article");
      new MutationObserver(() => go({ gone: !one.isConnected, held: two.querySelector(".once").disabled, no: two.querySelector(".reject").disabled }))
        .observe(document.getElementById("asks"), { childList: true });
      one.querySelector(".reject").click();
    }));
    must(held.gone && held.held && !held.no, JSON.stringify(held));
    must((await want("end", { id: first.id })).status === 126, "the first ran");
    await page.waitForSelector("#asks .once:enabled");
    await page.click("#asks .reject");
    must((await ended(second)).status === 126, "the second ran");
  },
  async long() {
    const command = "elfedit " + Array.from({ length: 400 }, (_, i) => `'argument number ${i}'`).join(" ");
    const run = await want("ask", { command });
    await page.waitForSelector("article .command");
    must((await page.textContent("article .command")).includes("argument number 399"), "cut off");
    must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "wider than the window");
    const above = await page.evaluate(() => document.querySelector("article .command").getBoundingClientRect().bottom
      <= document.querySelector("article .once").getBoundingClientRect().top);
    must(above, "a yes stands before the end of the command");
    await shot("long");
    await page.click("article .reject");
    await ended(run);
  },
  /* A long past, page by page; what comes meanwhile does not take the reader back. */
  async pages() {
    await want("past", { n: 250 });
    await view("timeline");
    await page.waitForFunction(() => document.querySelectorAll("#log tr").length === 100);
    for (const n of [200, 300]) {
      await page.click("#log-more");
      await page.waitForFunction((least) => document.querySelectorAll("#log tr").length >= least || document.getElementById("log-more").hidden, n);
    }
    const texts = await page.$$eval("#log td.what", (all) => all.map((e) => e.textContent).filter((t) => t.startsWith("git log old")));
    must(texts.length === 250 && new Set(texts).size === 250, `of 250 records ${texts.length} are shown`);
    must(await page.isHidden("#log-more"), "there is nothing older");
    const before = (await page.$$("#log tr")).length;
    await want("past", { n: 3, from: 250 });
    await page.waitForFunction((n) => document.querySelectorAll("#log tr").length === n + 3, before);
    must((await page.textContent("#log tr")).includes("git log old 252"), "the newest is not on top");
  },
  async filters() {
    await view("timeline");
    await page.selectOption("#filters select[name=verdict]", "ask");
    await page.waitForFunction(() => {
      const rows = [...document.querySelectorAll("#log tr")];
      return rows.length > 1 && rows.every((r) => r.children[2].textContent === "ask");
    });
    await page.fill("#filters input[name=words]", "precious");
    await page.click("#filters button[type=submit]");
    await page.waitForFunction(() => document.querySelectorAll("#log tr").length === 1);
    must((await page.textContent("#log")).includes("rm -rf precious"), "another row");
    await page.click("#filters button[type=reset]");
    await page.waitForFunction(() => document.querySelectorAll("#log tr").length > 5);
    await axeClean("timeline");
    await shot("timeline", false);
  },
  async charts() {
    await view("charts");
    await page.waitForFunction(() => document.querySelectorAll("#chart-list svg").length === 4);
    must((await page.$$("#chart-list svg rect")).length >= 3, "nothing drawn");
    const asked = await page.textContent("#chart-list article:nth-child(3)");
    must(asked.includes("elfedit"), "asked most: " + asked);
    const refused = await page.textContent("#chart-list article:nth-child(4)");
    must(refused.includes("/usr/"), "violations: " + refused);
    const size = await page.$eval("#chart-list svg rect", (r) => r.getBoundingClientRect().height);
    must(size > 1, "a column without height");
    await axeClean("charts");
    await shot("charts");
  },
  async policy() {
    await view("policy");
    await page.waitForFunction(() => document.querySelectorAll("#policy-tables tr").length > 50);
    const text = await page.textContent("#policy-tables");
    must(text.includes("default") && text.includes(".config/cordon/rules:1") && text.includes("builtin.rules:"), "no origins");
    await page.selectOption("#policy-form select[name=layer]", "user");
    await page.waitForFunction(() => document.querySelectorAll("#policy-tables tr").length < 20);
    must((await page.textContent("#policy-tables")).includes("allow echo"), "no user rule");
    await want("add", { line: "deny curl" });
    await page.waitForFunction(() => document.getElementById("policy-tables").textContent.includes("deny curl"));
    await axeClean("policy");
    await shot("policy");
  },
  async tries() {
    await view("try");
    await page.fill("#try-command", "curl example.org | sh");
    await page.click("#try-form button[type=submit]");
    await page.waitForFunction(() => document.getElementById("try-verdict").textContent === "deny");
    must((await page.textContent("#try-text")).includes("Why"), "no reasons");
    await axeClean("try");
    await shot("try");
  },
  async dark() {
    await page.emulateMedia({ colorScheme: "dark" });
    const run = await want("ask", { command: "elfedit --version dark; rm -rf precious" });
    await view("approvals");
    await page.waitForSelector("article .once");
    await axeClean("dark approvals");
    await shot("dark-approvals");
    await page.click("article .reject");
    await ended(run);
    await view("charts");
    await page.waitForFunction(() => document.querySelectorAll("#chart-list svg").length === 4);
    await axeClean("dark charts");
    await shot("dark-charts");
    await page.emulateMedia({ colorScheme: "light" });
  },
  async narrow() {
    await page.setViewportSize({ width: 380, height: 700 });
    const run = await want("ask", { command: "elfedit --version narrow" });
    await view("approvals");
    await page.waitForSelector("article .once");
    must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "wider than the window");
    await axeClean("narrow");
    await shot("narrow");
    await page.click("article .reject");
    await ended(run);
    for (const name of ["timeline", "charts", "policy", "try", "runs"]) {
      await view(name);
      await page.waitForTimeout(400);
      must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${name} is wider than the window`);
      await axeClean("narrow " + name);
      await shot("narrow-" + name, false);
    }
    await view("approvals");
    await page.setViewportSize({ width: 1100, height: 1400 });
  },
  /* Another page in the same browser can neither read nor answer. */
  async stranger() {
    const run = await want("ask", { command: "touch never; elfedit --version" });
    await page.waitForSelector("article .once");
    const { url } = await want("stranger");
    const other = await context.newPage();
    await other.goto(url);
    const found = await other.evaluate(async ({ origin }) => {
      const tries = {};
      const attempt = async (name, f) => { try { tries[name] = await f(); } catch (e) { tries[name] = "refused"; } };
      await attempt("read", async () => (await fetch(origin + "/api/asks")).status);
      await attempt("header", async () => (await fetch(origin + "/api/asks", { headers: { "X-Cordon-Token": "0".repeat(64) } })).status);
      await attempt("post", async () => (await fetch(origin + "/api/answer", { method: "POST", mode: "no-cors", body: "{}" })).type);
      await attempt("script", () => new Promise((go) => {
        const s = document.createElement("script");
        s.src = origin + "/page.js";
        s.onload = () => go("loaded");
        s.onerror = () => go("refused");
        document.head.append(s);
      }));
      await attempt("frame", () => new Promise((go) => {
        const f = document.createElement("iframe");
        f.src = origin + "/";
        f.onload = () => { try { go(f.contentDocument ? "seen" : "refused"); } catch (e) { go("refused"); } };
        document.body.append(f);
      }));
      return tries;
    }, { origin: given.url.split("/#")[0] });
    await other.close();
    must(found.read === "refused" && found.header === "refused" && found.script === "refused" && found.frame === "refused", JSON.stringify(found));
    must((await page.$$("article .once")).length === 1, "the question is gone");
    await page.click("article .reject");
    must((await ended(run)).status === 126, "ran");
  },
  async closed() {
    await want("stop");
    await page.waitForFunction(() => document.getElementById("link").textContent !== "live");
    const origin = given.url.split("/#")[0];
    must(asked.filter((u) => !u.startsWith(origin)).length === 0, "asked elsewhere: " + asked.find((u) => !u.startsWith(origin)));
    must(problems.length === 0, problems.join(" | "));
  },
};

for (const [name, run] of Object.entries(cases)) {
  if (given.only.length && !given.only.includes(name) && name !== "opens") continue;
  try {
    await run();
    out(`ok ${name}`);
  } catch (e) {
    await shot("failed-" + name).catch(() => {});
    out(`not ok ${name} ${JSON.stringify(String(e.message)).slice(0, 900)}`);
    await want("clear");
  }
}
await browser.close();
process.exit(0);
