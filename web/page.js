/* The console's page: which view is shown, and the news that make it load again. */
import { $, say, shown, token } from "./base.js";
import { drawTimes, loadAsks } from "./asks.js";
import { loadRuns } from "./runs.js";
import { addNews, loadLog } from "./log.js";
import { loadCharts } from "./charts.js";
import { loadPolicy } from "./policy.js";

const loaders = { approvals: loadAsks, runs: loadRuns, timeline: loadLog, charts: loadCharts, policy: loadPolicy, try: async () => {} };

function show(view) {
  for (const b of document.querySelectorAll("nav button")) {
    const here = b.dataset.view === view;
    if (here) b.setAttribute("aria-current", "page");
    else b.removeAttribute("aria-current");
    $(b.dataset.view).hidden = !here;
  }
  sessionStorage.setItem("cordon-view", view);
  loaders[view]().catch((e) => say(e.message));
}

/* A busy journal changes many times a second; a reader does not. */
let later = 0;
function readNews() {
  if (later) return;
  later = setTimeout(() => { later = 0; if (shown("timeline")) addNews(); }, 700);
}

function hear(what) {
  if (what === "asks" || what === "log") loadAsks();
  if (what === "runs") loadRuns();
  if (what === "log" && shown("timeline")) readNews();
  if (what === "policy" && shown("policy")) loadPolicy();
}

function tell(state, text) {
  $("link").dataset.state = state;
  $("link").textContent = text;
}

async function listen() {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
    try {
      const answer = await fetch("/api/events", { headers: { "X-Cordon-Token": token }, cache: "no-store" });
      if (answer.status === 401) {
        tell("lost", "locked: run `cordon console` to open it again");
        return;
      }
      if (!answer.ok) throw new Error("refused");
      tell("live", "live");
      wait = 500;
      loadAsks();
      loadRuns();
      if (shown("timeline")) addNews();
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
    tell("lost", "not connected");
    await new Promise((go) => setTimeout(go, wait));
  }
}

for (const b of document.querySelectorAll("nav button")) b.addEventListener("click", () => show(b.dataset.view));
setInterval(drawTimes, 1000);
const kept = sessionStorage.getItem("cordon-view");
show(kept in loaders ? kept : "approvals");
listen();
