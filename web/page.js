"use strict";
/*
 * The console's page.  Every text from outside came through the program's escaper and is put
 * in as text, never as markup; the token is kept for this tab alone and sent in a header.
 */

const $ = (id) => document.getElementById(id);
const VERDICTS = ["allow", "confine", "ask", "deny"];
const LEVELS = ["exact", "subcommand", "command"];

/* ---- small helpers */

/* make("p", {class: "soft"}, "text", child...) */
function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") e.addEventListener("click", value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c != null));
  return e;
}

function svg(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const say = (text) => { $("say").textContent = text; };
const verdictClass = (v) => (VERDICTS.includes(v) ? v : "");

/* ---- the server */

function findToken() {
  const given = /^#([0-9a-f]{64})$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem("cordon-token", given[1]);
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("cordon-token") || "";
}
const token = findToken();

async function api(path, body) {
  const request = { headers: { "X-Cordon-Token": token }, cache: "no-store", redirect: "error" };
  if (body !== undefined) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const answer = await fetch(path, request);
  const value = await answer.json().catch(() => ({ error: "the answer cannot be read" }));
  if (!answer.ok) throw new Error(value.error || "refused");
  return value;
}

/* ---- approvals */

const asks = new Map(); /* id → its article */
let firstLook = true;

function drawCommand(pieces) {
  const code = make("code");
  for (const p of pieces)
    code.append(p.verdict
      ? make("span", { class: "part " + verdictClass(p.verdict), title: `part ${p.part}: ${p.verdict}` }, p.text)
      : p.text);
  return make("pre", { class: "command", tabindex: "0", "aria-label": "Command" }, code);
}

function block(title, text, attributes) {
  if (!text) return null;
  return make("div", {}, make("h3", {}, title), make("pre", attributes || {}, text.replace(/\n$/, "")));
}

function ruleChooser(ask) {
  const level = make("select", { name: "level" }), place = make("select", { name: "place" });
  const line = make("pre", { class: "rule", "aria-live": "polite" });
  const add = make("button", { type: "button", class: "allowlist" }, "Accept and add this rule");
  for (const l of LEVELS) level.append(make("option", { value: l }, l));
  for (const p of ["user", "project"]) place.append(make("option", { value: p }, p));
  const show = () => {
    const of = ask.rules[place.value], rule = of[level.value];
    line.textContent = rule.lines ? `${of.file}:\n${rule.lines}`.trimEnd() : `not offered: ${rule.why}`;
    add.disabled = !rule.lines;
  };
  level.addEventListener("change", show);
  place.addEventListener("change", show);
  show();
  return { level, place, add, node: make("fieldset", {},
    make("legend", {}, "Add to the allowlist"),
    make("div", { class: "row" }, make("label", {}, "How wide ", level), make("label", {}, "Whose rules ", place), add),
    line) };
}

function drawAsk(ask) {
  const id = "ask-" + ask.id;
  const network = make("input", { type: "checkbox", name: "network" });
  const path = make("input", { name: "path", autocomplete: "off", placeholder: "/a/path", size: "24" });
  const message = make("input", { name: "message", autocomplete: "off", size: "40" });
  const state = make("p", { role: "status" });
  const rule = ruleChooser(ask);
  network.checked = ask.wantsNetwork && ask.canNetwork;
  network.disabled = !ask.canNetwork;
  path.disabled = !ask.canPath;
  const send = async (choice) => {
    const body = { id: ask.id, bind: ask.bind, choice };
    if (choice === "reject") body.message = message.value || null;
    else {
      body.network = network.checked;
      body.path = path.value || null;
    }
    if (choice === "allowlist") {
      body.level = rule.level.value;
      body.place = rule.place.value;
    }
    for (const b of node.querySelectorAll("button")) b.disabled = true;
    try {
      await api("/api/answer", body);
      state.textContent = choice === "reject" ? "rejected" : "accepted";
      say(state.textContent);
    } catch (e) {
      state.textContent = e.message;
    }
    loadAsks();
  };
  rule.add.addEventListener("click", () => send("allowlist"));
  const node = make("article", { id, "aria-labelledby": id + "-title" },
    make("h2", { id: id + "-title" }, "May this run?"),
    make("p", { class: "soft" }, `in ${ask.cwd}`, ask.asker ? ` · for ${ask.asker}` : "",
      ask.session ? ` · session ${ask.session}` : "", " · ", make("span", { class: "left", "data-ends": ask.ends })),
    drawCommand(ask.command),
    block("Why it asks", ask.reason),
    block("What would be lost", ask.lost, { class: "lost" }),
    block("Its sandbox", ask.sandbox),
    block("What it does", ask.effects),
    make("details", {}, make("summary", {}, "Each part"), make("pre", {}, ask.parts.replace(/\n$/, ""))),
    make("fieldset", {}, make("legend", {}, "Only for this run"),
      make("div", { class: "row" }, make("label", {}, make("span", {}, "Network"), network),
        make("label", {}, "Also writable ", path))),
    make("div", { class: "choices" },
      make("button", { type: "button", class: "yes once", onclick: () => send("once") }, "Accept once"),
      make("button", { type: "button", class: "session", disabled: !ask.forSession.lines,
        title: ask.forSession.lines || ask.forSession.why, onclick: () => send("session") }, "Accept for this session")),
    rule.node,
    make("div", { class: "choices" },
      make("label", { class: "soft" }, "Message to the agent ", message),
      make("button", { type: "button", class: "reject", onclick: () => send("reject") }, "Reject")),
    state);
  return node;
}

function drawTimes() {
  for (const e of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.round(Number(e.dataset.ends) - Date.now() / 1000));
    e.textContent = `rejected in ${left} s`;
  }
}

async function loadAsks() {
  const { asks: list, alarm } = await api("/api/asks");
  const ids = new Set(list.map((a) => a.id));
  $("alarm").hidden = !alarm;
  for (const [id, node] of asks)
    if (!ids.has(id)) {
      node.remove();
      asks.delete(id);
    }
  for (const a of list.sort((x, y) => x.asked - y.asked)) {
    if (asks.has(a.id)) continue;
    const node = drawAsk(a);
    asks.set(a.id, node);
    $("asks").append(node);
    if (!firstLook) say(`A command waits for your answer: ${a.command.map((p) => p.text).join("")}`);
  }
  firstLook = false;
  drawTimes();
  $("asks-none").hidden = asks.size > 0;
  $("asks-count").hidden = asks.size === 0;
  $("asks-count").textContent = asks.size;
  document.title = asks.size ? `(${asks.size}) cordon` : "cordon";
}

/* ---- runs */

const runs = new Map(); /* id → {node, from, output, facts} */

function bytes(n) {
  if (n == null) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return `${n < 10 && i ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

function drawRun(run) {
  const id = "run-" + run.id;
  const output = make("pre", { class: "output", tabindex: "0", role: "log", "aria-label": "Output" });
  const facts = make("p", { class: "facts" });
  const state = make("p", { role: "status" });
  const stop = make("button", { type: "button", class: "stop", onclick: async () => {
    stop.disabled = true;
    try {
      await api("/api/stop", { id: run.id });
      state.textContent = "stopped";
    } catch (e) {
      state.textContent = e.message;
      stop.disabled = false;
    }
  } }, "Stop");
  const node = make("article", { id, "aria-labelledby": id + "-title" },
    make("h2", { id: id + "-title" }, "Running"),
    make("p", { class: "soft" }, `in ${run.cwd || "?"}`),
    make("pre", { class: "command", tabindex: "0", "aria-label": "Command" }, run.command || ""),
    facts, output, make("div", { class: "choices" }, stop), state);
  return { node, output, facts, from: 0, reading: false };
}

function drawFacts(run, r) {
  const seconds = run.started ? Math.max(0, Math.round(Date.now() / 1000 - run.started)) : null;
  r.facts.replaceChildren(
    make("span", {}, `process ${run.pid}`),
    make("span", {}, seconds == null ? "" : `${seconds} s`),
    make("span", {}, `processor ${run.cpu_ms == null ? "–" : (run.cpu_ms / 1000).toFixed(1) + " s"}`),
    make("span", {}, `memory ${bytes(run.rss)}`),
    make("span", {}, `processes ${run.processes == null ? "–" : run.processes}`));
}

async function readOutput(id, r) {
  if (r.reading) return;
  r.reading = true;
  try {
    const got = await api(`/api/output?run=${encodeURIComponent(id)}&from=${r.from}`);
    if (got.text) {
      const atEnd = r.output.scrollTop + r.output.clientHeight >= r.output.scrollHeight - 4;
      r.output.append(got.lost ? `[${got.lost} bytes are gone]\n` : "", got.text);
      if (atEnd) r.output.scrollTop = r.output.scrollHeight;
    }
    r.from = got.next;
  } catch (e) {
    /* It has ended. */
  }
  r.reading = false;
}

async function loadRuns() {
  const { runs: list } = await api("/api/runs");
  const ids = new Set(list.map((r) => r.id));
  for (const [id, r] of runs)
    if (!ids.has(id)) {
      r.node.remove();
      runs.delete(id);
    }
  for (const run of list) {
    if (!runs.has(run.id)) {
      runs.set(run.id, drawRun(run));
      $("runs-list").append(runs.get(run.id).node);
    }
    drawFacts(run, runs.get(run.id));
    if (!$("runs").hidden) readOutput(run.id, runs.get(run.id));
  }
  $("runs-none").hidden = runs.size > 0;
  $("runs-count").hidden = runs.size === 0;
  $("runs-count").textContent = runs.size;
}

/* ---- timeline */

function query(form) {
  const q = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value.trim()) q.set(key, value.trim());
  return q.toString();
}

function drawRecord(r) {
  const what = [r.op, r.path, r.command].filter(Boolean).join(" ");
  const why = [r.outcome, r.reason, r.rule && `[${r.rule}]`].filter(Boolean).join(" · ");
  return make("tr", {},
    make("td", { class: "when" }, make("time", { datetime: r.time }, r.time.replace("T", " ").slice(0, 19))),
    make("td", { class: "when" }, r.kind || ""),
    make("td", { class: "badge " + verdictClass(r.verdict) }, r.verdict || ""),
    make("td", { class: "mono" }, what),
    make("td", {}, why, r.host ? make("span", { class: "soft" }, ` ${r.host}`) : null));
}

async function loadLog() {
  try {
    const { records } = await api("/api/log?" + query($("filters")));
    $("log").replaceChildren(...records.map(drawRecord));
    $("log-state").textContent = records.length >= 200 ? "The newest 200 of them." : `${records.length} records.`;
  } catch (e) {
    $("log-state").textContent = e.message;
  }
}

/* ---- charts */

function frame(title, chart, rows, names) {
  const table = make("table", {}, make("caption", { class: "unseen" }, title),
    make("thead", {}, make("tr", {}, ...names.map((n) => make("th", { scope: "col" }, n)))),
    make("tbody", {}, ...rows.map((r) => make("tr", {}, ...r.map((c) => make("td", {}, String(c)))))));
  return make("article", {}, make("h2", {}, title), chart, make("details", {}, make("summary", {}, "As a table"), table));
}

function described(title, height, text) {
  const chart = svg("svg", { viewBox: `0 0 400 ${height}`, role: "img", "aria-label": `${title}. ${text}` });
  return chart;
}

/* Columns, one for each name, parts one above another. */
function columns(title, names, parts, classes) {
  const height = 200, top = 10, bottom = 24, left = 40;
  const sums = names.map((_, i) => parts.reduce((n, p) => n + p[i], 0));
  const most = Math.max(1, ...sums), width = Math.min(40, (400 - left) / Math.max(1, names.length));
  const chart = described(title, height, `${names.length} days, at most ${most} on one.`);
  chart.append(svg("line", { class: "axis", x1: left, x2: 400, y1: height - bottom, y2: height - bottom }));
  const label = (x, y, text, anchor) => {
    const e = svg("text", { x, y, "text-anchor": anchor });
    e.textContent = text;
    chart.append(e);
  };
  label(left - 4, top + 10, most, "end");
  label(left - 4, height - bottom, 0, "end");
  names.forEach((name, i) => {
    let y = height - bottom;
    parts.forEach((p, k) => {
      const h = (p[i] / most) * (height - top - bottom);
      if (!h) return;
      y -= h;
      const r = svg("rect", { class: "fill-" + classes[k], x: left + i * width + 1, y, width: Math.max(1, width - 2), height: h });
      const t = svg("title");
      t.textContent = `${name} ${classes[k]}: ${p[i]}`;
      r.append(t);
      chart.append(r);
    });
    if (i === 0 || i === names.length - 1)
      label(i ? Math.max(left + 150, left + (i + 1) * width) : left, height - 6, name, i ? "end" : "start");
  });
  return chart;
}

/* Lying bars, one for each row [name, n]. */
function bars(title, rows, kind) {
  const height = Math.max(30, rows.length * 24 + 6);
  const most = Math.max(1, ...rows.map((r) => r[1]));
  const chart = described(title, height, rows.length ? `Most: ${rows[0][0]}, ${rows[0][1]}.` : "Nothing yet.");
  rows.forEach(([name, n], i) => {
    const y = i * 24 + 4, text = svg("text", { x: 4, y: y + 14 }), count = svg("text", { x: 396, y: y + 14, "text-anchor": "end" });
    text.textContent = name.length > 40 ? "…" + name.slice(-39) : name;
    count.textContent = n;
    chart.append(svg("rect", { class: "fill-" + kind, x: 0, y, width: Math.max(2, (n / most) * 400), height: 20, opacity: 0.25 }), text, count);
  });
  if (!rows.length) {
    const none = svg("text", { x: 4, y: 18 });
    none.textContent = "Nothing yet.";
    chart.append(none);
  }
  return chart;
}

function legend(classes, names) {
  return make("ul", { class: "legend" }, ...classes.map((c, i) => make("li", { class: c }, "■ " + names[i])));
}

async function loadCharts() {
  const span = query($("span"));
  let stats, refused;
  try {
    [stats, refused] = await Promise.all([api("/api/stats?" + span),
      api("/api/log?kind=violation" + (span ? "&" + span : ""))]);
  } catch (e) {
    $("chart-list").replaceChildren(make("p", {}, e.message));
    return;
  }
  const days = [...new Set((stats.days || []).map((d) => d.day))].sort();
  const of = (day, ...verdicts) => (stats.days || []).filter((d) => d.day === day && verdicts.includes(d.verdict))
    .reduce((n, d) => n + d.n, 0);
  const byVerdict = VERDICTS.map((v) => days.map((d) => of(d, v)));
  const decisions = frame("Decisions over time", columns("Decisions over time", days, byVerdict, VERDICTS),
    days.map((d, i) => [d, ...byVerdict.map((p) => p[i])]), ["Day", ...VERDICTS]);
  decisions.insertBefore(legend(VERDICTS, VERDICTS), decisions.lastChild);
  const avoided = [days.map((d) => of(d, "allow", "confine")), days.map((d) => of(d, "ask"))];
  const questions = frame("Questions avoided", columns("Questions avoided", days, avoided, ["confine", "ask"]),
    days.map((d, i) => [d, avoided[0][i], avoided[1][i]]), ["Day", "Ran without a question", "Asked"]);
  questions.insertBefore(legend(["confine", "ask"], ["ran without a question", "asked"]), questions.lastChild);
  const asked = (stats.asked || []).map((a) => [a.program || "–", a.n]);
  const paths = new Map();
  for (const r of refused.records) paths.set(r.path || "–", (paths.get(r.path || "–") || 0) + (r.count || 1));
  const violations = [...paths].sort((a, b) => b[1] - a[1]).slice(0, 10);
  $("chart-list").replaceChildren(decisions, questions,
    frame("Asked most", bars("Asked most", asked, "ask"), asked, ["Command", "Times"]),
    frame("Violations by path", bars("Violations by path", violations, "deny"), violations, ["Path", "Times"]));
}

/* ---- policy */

const origin = (o) => (o.file ? `${o.layer}, ${o.file}:${o.line}` : o.layer || "");

function policyTable(title, names, rows) {
  if (!rows.length) return null;
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, make("h2", {}, title),
    make("table", {}, make("thead", {}, make("tr", {}, ...names.map((n) => make("th", { scope: "col" }, n)))),
      make("tbody", {}, ...rows.map((r) => make("tr", {}, ...r.map((c) => (c instanceof Node ? c : make("td", { class: "mono" }, c))))))));
}

async function loadPolicy() {
  const form = new FormData($("policy-form"));
  const words = form.get("words").toLowerCase(), layer = form.get("layer");
  const wanted = (o, ...texts) => (!layer || o.layer === layer) && (!words || texts.join(" ").toLowerCase().includes(words));
  try {
    const p = await api("/api/policy?cwd=" + encodeURIComponent(form.get("cwd")));
    const settings = Object.entries(p.settings).filter(([k, v]) => v && typeof v === "object" && wanted(v, k))
      .map(([k, v]) => [k, [].concat(v.value).join(" ") || "–", origin(v)]);
    const lists = Object.entries(p.lists).flatMap(([k, l]) => l.filter((e) => e.text && wanted(e, k, e.text)).map((e) => [k, e.text, origin(e)]));
    const rules = p.rules.filter((r) => wanted(r, r.text)).map((r) =>
      [make("td", { class: "badge " + verdictClass(r.verdict) }, r.verdict), r.text, origin(r)]);
    const inert = p.inert.map((r) => [r.text, r.why || "", origin(r)]);
    $("policy-tables").replaceChildren(...[
      policyTable("Settings", ["Setting", "Value", "From"], settings),
      policyTable("Lists", ["List", "Entry", "From"], lists),
      policyTable("Rules", ["Verdict", "Rule", "From"], rules),
      policyTable("Without effect", ["Line", "Why", "From"], inert)].filter(Boolean));
    $("policy-state").textContent = `${rules.length} rules.`;
  } catch (e) {
    $("policy-state").textContent = e.message;
  }
}

/* ---- trying */

async function explain(event) {
  event.preventDefault();
  const form = new FormData($("try-form"));
  const verdict = $("try-verdict"), text = $("try-text");
  try {
    const got = await api("/api/explain", { command: form.get("command"), cwd: form.get("cwd") });
    verdict.className = "badge " + verdictClass(got.verdict);
    verdict.textContent = got.verdict;
    text.textContent = got.text;
    text.hidden = false;
  } catch (e) {
    verdict.className = "";
    verdict.textContent = e.message;
    text.hidden = true;
  }
}

/* ---- views and news */

const loaders = { approvals: loadAsks, runs: loadRuns, timeline: loadLog, charts: loadCharts, policy: loadPolicy };

function show(view) {
  for (const b of document.querySelectorAll("nav button")) {
    const here = b.dataset.view === view;
    if (here) b.setAttribute("aria-current", "page");
    else b.removeAttribute("aria-current");
    $(b.dataset.view).hidden = !here;
  }
  sessionStorage.setItem("cordon-view", view);
  if (loaders[view]) loaders[view]().catch((e) => say(e.message));
}

const shown = (view) => !$(view).hidden;

function hear(what) {
  if (what === "asks") loadAsks();
  if (what === "runs") loadRuns();
  if (what === "log" && shown("timeline")) loadLog();
  if (what === "log") loadAsks();
  if (what === "policy" && shown("policy")) loadPolicy();
}

async function listen() {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
    try {
      const answer = await fetch("/api/events", { headers: { "X-Cordon-Token": token }, cache: "no-store" });
      if (answer.status === 401) {
        $("link").textContent = "locked: open it again with cordon console";
        return;
      }
      if (!answer.ok) throw new Error("refused");
      $("link").textContent = "live";
      wait = 500;
      loadAsks();
      loadRuns();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = "";;) {
        const { value, done } = await reader.read();
        if (done) break;
        rest += value;
        const lines = rest.split("\n");
        rest = lines.pop();
        for (const l of lines) if (l.startsWith("data: ")) hear(l.slice(6));
      }
    } catch (e) {
      /* Tried again below. */
    }
    $("link").textContent = "not connected";
    await new Promise((go) => setTimeout(go, wait));
  }
}

for (const b of document.querySelectorAll("nav button")) b.addEventListener("click", () => show(b.dataset.view));
$("filters").addEventListener("submit", (e) => { e.preventDefault(); loadLog(); });
$("filters").addEventListener("reset", () => setTimeout(loadLog));
$("filters").addEventListener("change", loadLog);
$("span").addEventListener("change", loadCharts);
$("policy-form").addEventListener("submit", (e) => { e.preventDefault(); loadPolicy(); });
$("policy-form").addEventListener("change", loadPolicy);
$("try-form").addEventListener("submit", explain);
setInterval(drawTimes, 1000);
setInterval(() => { if (shown("runs") && runs.size) loadRuns().catch(() => {}); }, 1000);
show(sessionStorage.getItem("cordon-view") || "approvals");
listen();
