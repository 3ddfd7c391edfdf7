/* The journal, newest first, page by page. */
import { $, api, make, moment, pill, query } from "./base.js";

const LONG = 400; /* a command that would fill the screen */

let newest = 0, oldest = 0, more = false;

function drawText(text) {
  if (text.length <= LONG) return [text];
  return [text.slice(0, LONG - 100) + " … ", make("details", {}, make("summary", {}, `all ${text.length} characters`), text)];
}

function drawRecord(r) {
  const what = [r.op, r.path, r.command].filter(Boolean).join(" ");
  const why = [r.outcome, r.reason].filter(Boolean).join(" · ");
  const where = [r.host, r.session, r.rule].filter(Boolean).join(" · ");
  return make("tr", {},
    make("td", { class: "when" }, make("time", { datetime: r.time, title: r.time }, moment(r.time))),
    make("td", { class: "when" }, r.kind || ""),
    make("td", {}, pill(r.verdict)),
    make("td", { class: "mono what" }, ...drawText(what)),
    make("td", { class: "why" }, why, where ? make("div", { class: "soft" }, where) : null));
}

async function page(before) {
  const q = query($("filters"));
  if (before) q.set("before", before);
  return api("/api/log?" + q);
}

function tell() {
  const n = $("log").children.length;
  $("log-more").hidden = !more;
  $("log-state").textContent = n === 0 ? "No record matches." : more ? `The newest ${n}.` : n === 1 ? "1 record." : `All ${n} records.`;
}

function take(records) {
  if (!records.length) return;
  newest = Math.max(newest, records[0].sequence);
  oldest = records[records.length - 1].sequence;
}

/* From the newest on; what was paged to is gone. */
export async function loadLog() {
  try {
    const got = await page(0);
    newest = oldest = 0;
    take(got.records);
    more = got.more;
    $("log").replaceChildren(...got.records.map(drawRecord));
    tell();
  } catch (e) {
    $("log-state").textContent = e.message;
  }
}

/* Only what came since: whoever reads further down stays there. */
export async function addNews() {
  if (!newest) return loadLog();
  try {
    const { records } = await page(0);
    if (records.length && records[records.length - 1].sequence > newest) return loadLog();
    const fresh = records.filter((r) => r.sequence > newest);
    if (!fresh.length) return;
    newest = fresh[0].sequence;
    $("log").prepend(...fresh.map(drawRecord));
    tell();
  } catch (e) {
    $("log-state").textContent = e.message;
  }
}

async function loadOlder() {
  const button = $("log-more");
  button.disabled = true;
  try {
    const got = await page(oldest);
    take(got.records);
    more = got.more;
    $("log").append(...got.records.map(drawRecord));
    tell();
  } catch (e) {
    $("log-state").textContent = e.message;
  }
  button.disabled = false;
}

$("filters").addEventListener("submit", (e) => { e.preventDefault(); loadLog(); });
$("filters").addEventListener("reset", () => setTimeout(loadLog));
$("filters").addEventListener("change", loadLog);
$("log-more").addEventListener("click", loadOlder);
