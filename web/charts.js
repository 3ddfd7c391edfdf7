/* Charts, drawn here; each has its numbers as a table below it. */
import { $, VERDICTS, api, make, query, svg } from "./base.js";

const WIDTH = 460;

function frame(title, chart, rows, names, legend) {
  const table = make("table", {}, make("caption", { class: "unseen" }, title),
    make("thead", {}, make("tr", {}, ...names.map((n) => make("th", { scope: "col" }, n)))),
    make("tbody", {}, ...rows.map((r) => make("tr", {}, ...r.map((c) => make("td", {}, String(c)))))));
  return make("article", {}, make("h2", {}, title), chart, legend || null,
    rows.length ? make("details", {}, make("summary", {}, "As a table"), table) : null);
}

const described = (title, height, text) =>
  svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${title}. ${text}` });

function label(chart, x, y, text, anchor, kind) {
  const e = svg("text", { x, y, "text-anchor": anchor, class: kind || "" });
  e.textContent = text;
  chart.append(e);
}

/* The next number that people count by: 1 2 5 10 20 50 ... */
function ceiling(n) {
  for (let unit = 1; ; unit *= 10) for (const k of [1, 2, 5]) if (k * unit >= n) return k * unit;
}

/* Columns, one for each name, parts one above another. */
function columns(title, names, parts, classes, unit) {
  const height = 210, top = 12, bottom = 26, left = 44, floor = height - bottom;
  const sums = names.map((_, i) => parts.reduce((n, p) => n + p[i], 0));
  const most = ceiling(Math.max(1, ...sums)), width = (WIDTH - left) / Math.max(1, names.length);
  const total = sums.reduce((a, b) => a + b, 0);
  const chart = described(title, height, total ? `${total} in ${names.length} ${unit}s, at most ${Math.max(...sums)} in one.` : "Nothing yet.");
  for (const part of most > 1 ? [0, 0.5, 1] : [0, 1]) {
    const y = floor - part * (floor - top);
    chart.append(svg("line", { class: part ? "rule-line" : "axis", x1: left, x2: WIDTH, y1: y, y2: y }));
    if (Number.isInteger(most * part)) label(chart, left - 8, y + 4, most * part, "end");
  }
  names.forEach((name, i) => {
    const gap = Math.min(width * 0.25, 8), wide = Math.min(Math.max(1, width - gap), 64);
    let y = floor;
    parts.forEach((p, k) => {
      const h = (p[i] / most) * (floor - top);
      if (!h) return;
      y -= h;
      const r = svg("rect", { class: "fill-" + classes[k], x: left + i * width + (width - wide) / 2, y, width: wide, height: h });
      const t = svg("title");
      t.textContent = `${name}, ${classes[k]}: ${p[i]}`;
      r.append(t);
      chart.append(r);
    });
  });
  if (names.length) label(chart, left, height - 7, names[0], "start");
  if (names.length > 1) label(chart, WIDTH, height - 7, names[names.length - 1], "end");
  if (!total) label(chart, (WIDTH + left) / 2, (floor + top) / 2, "Nothing yet", "middle");
  return chart;
}

/* Lying bars, one for each row [name, n]. */
function bars(title, rows, kind) {
  const height = Math.max(60, rows.length * 30 + 4), most = Math.max(1, ...rows.map((r) => r[1]));
  const chart = described(title, height, rows.length ? `Most: ${rows[0][0]}, ${rows[0][1]}.` : "Nothing yet.");
  rows.forEach(([name, n], i) => {
    const y = i * 30 + 2;
    chart.append(svg("rect", { class: "fill-" + kind, x: 0, y, width: Math.max(3, (n / most) * (WIDTH - 60)), height: 25, rx: 4, opacity: 0.22 }));
    label(chart, 8, y + 17, name.length > 52 ? "…" + name.slice(-51) : name, "start", "name");
    label(chart, WIDTH, y + 17, n, "end", "name");
  });
  if (!rows.length) label(chart, WIDTH / 2, 34, "Nothing yet", "middle");
  return chart;
}

const legendOf = (classes, names) => make("ul", { class: "legend" }, ...classes.map((c, i) => make("li", { class: c }, "■ " + names[i])));

/* Every day or hour of the span, also those in which nothing was: a gap is part of the picture. */
function allOf(since, hours, found) {
  const step = hours ? 3600e3 : 86400e3, length = hours ? 13 : 10;
  const names = [];
  let n = hours ? 24 : parseInt(since, 10) || 7;
  if (n > 60 && found.length) n = Math.min(n, Math.ceil((Date.now() - Date.parse(found[0])) / step) + 1);
  for (let i = n - 1; i >= 0; i--) names.push(new Date(Date.now() - i * step).toISOString().slice(0, length));
  return names;
}

const showName = (name) => (name.length > 10 ? `${String(new Date(name + ":00:00Z").getHours()).padStart(2, "0")}:00` : name);

export async function loadCharts() {
  const q = query($("span")), since = q.get("since"), hours = since === "1d";
  let stats;
  if (hours) q.set("by", "hour");
  try {
    stats = await api("/api/stats?" + q);
  } catch (e) {
    $("chart-list").replaceChildren(make("p", { class: "empty" }, e.message));
    return;
  }
  const rows = hours ? stats.hours : stats.days, key = hours ? "hour" : "day";
  const names = allOf(since, hours, rows.map((r) => r[key]).sort());
  const of = (name, ...verdicts) => rows.filter((r) => r[key] === name && verdicts.includes(r.verdict)).reduce((n, r) => n + r.n, 0);
  const labels = names.map(showName);
  const byVerdict = VERDICTS.map((v) => names.map((d) => of(d, v)));
  const avoided = [names.map((d) => of(d, "allow", "confine")), names.map((d) => of(d, "ask"))];
  const asked = stats.asked.map((a) => [a.program || "–", a.n]), paths = stats.paths.map((p) => [p.path || "–", p.n]);
  const unit = hours ? "hour" : "day", Unit = hours ? "Hour" : "Day";
  $("chart-list").replaceChildren(
    frame("Decisions over time", columns("Decisions over time", labels, byVerdict, VERDICTS, unit),
      labels.map((d, i) => [d, ...byVerdict.map((p) => p[i])]), [Unit, ...VERDICTS], legendOf(VERDICTS, VERDICTS)),
    frame("Questions avoided", columns("Questions avoided", labels, avoided, ["confine", "ask"], unit),
      labels.map((d, i) => [d, avoided[0][i], avoided[1][i]]), [Unit, "Ran without a question", "Asked"],
      legendOf(["confine", "ask"], ["ran without a question", "asked"])),
    frame("Most asked", bars("Most asked", asked, "ask"), asked, ["Program", "Times"]),
    frame("Violations by path", bars("Violations by path", paths, "deny"), paths, ["Path", "Runs that tried"]));
}

$("span").addEventListener("change", loadCharts);
