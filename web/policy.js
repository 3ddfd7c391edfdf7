/* The effective policy, each value with where it is from; and what it says to a command. */
import { $, api, make, pill, verdictClass } from "./base.js";

const origin = (o) => (o.file ? `${o.layer}, ${o.file}:${o.line}` : o.layer || "");

function table(title, names, rows) {
  if (!rows.length) return null;
  return make("div", { class: "block" }, make("h2", {}, title),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      make("table", {}, make("thead", {}, make("tr", {}, ...names.map((n) => make("th", { scope: "col" }, n)))),
        make("tbody", {}, ...rows.map((r) => make("tr", {}, ...r.map((c, i) =>
          (c instanceof Node ? make("td", {}, c) : make("td", { class: i === r.length - 1 ? "soft" : "mono" }, c)))))))));
}

export async function loadPolicy() {
  const form = new FormData($("policy-form"));
  const words = form.get("words").toLowerCase(), layer = form.get("layer");
  const wanted = (o, ...texts) => (!layer || o.layer === layer) && (!words || texts.join(" ").toLowerCase().includes(words));
  try {
    const p = await api("/api/policy?cwd=" + encodeURIComponent(form.get("cwd")));
    const settings = Object.entries(p.settings).filter(([k, v]) => v && typeof v === "object" && wanted(v, k))
      .map(([k, v]) => [k, [].concat(v.value).join(" ") || "–", origin(v)]);
    const lists = Object.entries(p.lists).flatMap(([k, l]) => l.filter((e) => e.text && wanted(e, k, e.text)).map((e) => [k, e.text, origin(e)]));
    const rules = p.rules.filter((r) => wanted(r, r.text)).map((r) => [pill(r.verdict), r.text, origin(r)]);
    const inert = p.inert.filter((r) => wanted(r, r.text)).map((r) => [r.text, r.why || "", origin(r)]);
    $("policy-tables").replaceChildren(...[
      table("Without effect", ["Line", "Why", "From"], inert),
      table("Settings", ["Setting", "Value", "From"], settings),
      table("Lists", ["List", "Entry", "From"], lists),
      table("Rules", ["Verdict", "Rule", "From"], rules)].filter(Boolean));
    $("policy-state").textContent = `Settings: ${settings.length}. Rules: ${rules.length} of ${p.rules.length}.`;
  } catch (e) {
    $("policy-tables").replaceChildren();
    $("policy-state").textContent = e.message;
  }
}

async function explain(event) {
  event.preventDefault();
  const form = new FormData($("try-form")), verdict = $("try-verdict"), text = $("try-text");
  try {
    const got = await api("/api/explain", { command: form.get("command"), cwd: form.get("cwd") });
    verdict.className = "pill large " + verdictClass(got.verdict);
    verdict.textContent = got.verdict;
    text.textContent = got.text;
    text.hidden = false;
  } catch (e) {
    verdict.className = "";
    verdict.textContent = e.message;
    text.hidden = true;
  }
}

$("policy-form").addEventListener("submit", (e) => { e.preventDefault(); loadPolicy(); });
$("policy-form").addEventListener("change", loadPolicy);
$("try-form").addEventListener("submit", explain);
$("try-command").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) $("try-form").requestSubmit();
});
