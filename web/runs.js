/* What runs: its output while it comes, what it uses, and a way to end it. */
import { $, api, bytes, clock, make, shown } from "./base.js";

/* Runs that are over stay to be read, so many of them. */
const OVER_MOST = 5;

const runs = new Map(); /* id → {node, output, facts, stop, from, reading, over} */

function drawRun(run) {
  const id = "run-" + run.id;
  const title = make("h2", { id: id + "-title" }, "Running");
  const output = make("pre", { class: "output", tabindex: "0", role: "log", "aria-label": "Output" });
  const facts = make("dl", { class: "facts" });
  const state = make("p", { class: "status", role: "status" });
  const stop = make("button", { type: "button", class: "no stop", onclick: async () => {
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
    make("div", { class: "top" }, title, stop),
    make("pre", { class: "command", tabindex: "0", "aria-label": "Command" }, run.command || ""),
    make("p", { class: "soft" }, `in ${run.cwd || "?"}`),
    facts, output, state);
  return { node, title, output, facts, stop, from: 0, reading: false, over: false };
}

function drawFacts(run, r) {
  const least = run.usage_more ? "at least " : "";
  const rows = [["Running for", run.started ? clock(Date.now() / 1000 - run.started) : "–"],
    ["Processor", run.cpu_ms == null ? "–" : (run.cpu_ms / 1000).toFixed(1) + " s"],
    ["Memory", least + bytes(run.rss)], ["Processes", run.processes == null ? "–" : least + run.processes], ["Process", run.pid]];
  r.facts.replaceChildren(...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
}

async function readOutput(id, r) {
  if (r.reading || r.over) return;
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

function forget(id) {
  runs.get(id).node.remove();
  runs.delete(id);
  count();
}

/* It has ended: what it said stays until somebody clears it away. */
function close(id, r) {
  r.over = true;
  r.node.classList.add("over");
  r.title.textContent = "Ended";
  const clear = make("button", { type: "button", class: "clear", onclick: () => forget(id) }, "Clear");
  r.stop.replaceWith(clear);
  const over = [...runs].filter(([, x]) => x.over);
  for (const [old] of over.slice(0, Math.max(0, over.length - OVER_MOST))) forget(old);
}

function count() {
  const live = [...runs.values()].filter((r) => !r.over).length;
  $("runs-none").hidden = runs.size > 0;
  $("runs-count").hidden = live === 0;
  $("runs-count").textContent = live;
}

export async function loadRuns() {
  const { runs: list, more } = await api("/api/runs");
  const ids = new Set(list.map((r) => r.id));
  $("runs-more").hidden = !more;
  /* One that is not in a list with more behind it may still run. */
  for (const [id, r] of runs) if (!ids.has(id) && !r.over && !more) close(id, r);
  for (const run of list) {
    if (!runs.has(run.id)) {
      runs.set(run.id, drawRun(run));
      $("runs-list").prepend(runs.get(run.id).node);
    }
    drawFacts(run, runs.get(run.id));
    readOutput(run.id, runs.get(run.id));
  }
  count();
}

setInterval(() => { if (shown("runs") && [...runs.values()].some((r) => !r.over)) loadRuns().catch(() => {}); }, 1000);
