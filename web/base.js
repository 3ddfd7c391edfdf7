/*
 * What every view uses.  Every text from outside came through the program's escaper and is
 * put in as text, never as markup; the token is kept for this tab alone, and sent in a header.
 */

export const $ = (id) => document.getElementById(id);
export const VERDICTS = ["allow", "confine", "ask", "deny"];

/* make("p", {class: "soft"}, "text", child...) */
export function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") e.addEventListener("click", value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c != null && c !== ""));
  return e;
}

export function svg(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

export const say = (text) => { $("say").textContent = text; };
export const verdictClass = (v) => (VERDICTS.includes(v) ? v : "");
export const pill = (verdict, more) => (verdict ? make("span", { class: `pill ${verdictClass(verdict)} ${more || ""}`.trim() }, verdict) : null);
export const shown = (view) => !$(view).hidden;

/* Text that was set in columns for a terminal: without what all of its lines begin with. */
export function flush(text) {
  const lines = text.replace(/\n+$/, "").split("\n");
  const blanks = Math.min(...lines.filter((l) => l.trim()).map((l) => /^ */.exec(l)[0].length));
  return lines.map((l) => l.slice(Number.isFinite(blanks) ? blanks : 0)).join("\n");
}

/* 4:07, or 1:02:30 */
export function clock(seconds) {
  const s = Math.max(0, Math.round(seconds)), two = (n) => String(n).padStart(2, "0");
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/* Here, as the journal writes it elsewhere: 2026-11-15 12:04:31 */
export function moment(iso) {
  const d = new Date(iso), two = (n) => String(n).padStart(2, "0");
  if (Number.isNaN(d.getTime())) return iso;
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

export function bytes(n) {
  if (n == null) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return `${n < 10 && i ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

export function query(form) {
  const q = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value.trim()) q.set(key, value.trim());
  return q;
}

/* ---- the server */

function findToken() {
  const given = /^#([0-9a-f]{64})$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem("cordon-token", given[1]);
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("cordon-token") || "";
}
export const token = findToken();

export async function api(path, body) {
  const request = { headers: { "X-Cordon-Token": token }, cache: "no-store", redirect: "error" };
  if (body !== undefined) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const answer = await fetch(path, request);
  const value = await answer.json().catch(() => ({ error: "invalid answer from the server" }));
  if (!answer.ok) throw new Error(value.error || "refused");
  return value;
}
