/* Approvals: the same choices as in a terminal. */
import { $, api, clock, flush, make, say, verdictClass } from "./base.js";

const LEVELS = ["exact", "subcommand", "command"];
/* A yes counts only where the page has stood still for so long: a card that moves up under
 * the pointer must not take a click that was meant for another. */
const STILL_MS = 700;

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

const block = (title, text) => (text && text.trim() ? make("div", {}, make("h3", {}, title), make("pre", {}, flush(text))) : null);

function lostBlock(text) {
  if (!text) return null;
  return make("div", { class: "lost" }, make("h3", {}, "What would be lost"), make("pre", {}, flush(text)));
}

/* ---- the three ways to answer */

function onceField(ask, send) {
  const network = make("input", { type: "checkbox", name: "network" });
  const path = make("input", { name: "path", autocomplete: "off", placeholder: "/a/path" });
  network.checked = ask.wantsNetwork && ask.canNetwork;
  network.disabled = !ask.canNetwork;
  path.disabled = !ask.canPath;
  const session = make("button", { type: "button", class: "session accepts", disabled: !ask.forSession.lines,
    title: ask.forSession.lines || ask.forSession.why, onclick: () => send("session") }, "For this session");
  session.dataset.never = ask.forSession.lines ? "" : "1";
  const node = make("fieldset", {}, make("legend", {}, "Yes, this time"),
    ask.hosts ? make("p", { class: "soft hosts" }, `it may reach ${ask.hosts}`) : null,
    make("label", { class: "check" }, network, ask.hosts ? "with all of the network" : "with the network"),
    make("label", {}, "Also writable ", path),
    make("div", { class: "doing" },
      make("button", { type: "button", class: "yes once accepts", onclick: () => send("once") }, "Accept once"), session));
  return { node, take: (body) => { body.network = network.checked; body.path = path.value || null; } };
}

function ruleField(ask, send) {
  const level = make("select", { name: "level" }), place = make("select", { name: "place" });
  const line = make("pre", { class: "rule", "aria-live": "polite" });
  const add = make("button", { type: "button", class: "allowlist accepts", onclick: () => send("allowlist") }, "Accept and add this rule");
  for (const l of LEVELS) level.append(make("option", { value: l }, l));
  for (const p of ["user", "project"]) place.append(make("option", { value: p }, p));
  const show = () => {
    const of = ask.rules[place.value], rule = of[level.value];
    line.textContent = rule.lines ? `${of.file}:\n${rule.lines}`.trimEnd() : `not offered: ${rule.why}`;
    add.dataset.never = rule.lines ? "" : "1";
    add.disabled = !rule.lines;
  };
  /* This host, this project: what a command that needs the network is offered. */
  if (ask.here) {
    level.value = ask.here;
    place.value = "project";
  }
  level.addEventListener("change", show);
  place.addEventListener("change", show);
  show();
  const node = make("fieldset", {}, make("legend", {}, "Yes, from now on"),
    make("div", { class: "two" }, make("label", {}, "Scope ", level), make("label", {}, "Rules of ", place)),
    line, make("div", { class: "doing" }, add));
  return { node, take: (body) => { body.level = level.value; body.place = place.value; } };
}

function rejectField(send) {
  const message = make("input", { name: "message", autocomplete: "off", placeholder: "what to do instead" });
  message.addEventListener("keydown", (e) => { if (e.key === "Enter") send("reject"); });
  const node = make("fieldset", {}, make("legend", {}, "No"),
    make("label", {}, "Message to the agent ", message),
    make("div", { class: "doing" }, make("button", { type: "button", class: "no reject", onclick: () => send("reject") }, "Reject")));
  return { node, take: (body) => { body.message = message.value || null; } };
}

/* ---- one question */

function drawAsk(ask) {
  const id = "ask-" + ask.id;
  const state = make("p", { class: "status", role: "status" });
  const send = async (choice) => {
    const body = { id: ask.id, bind: ask.bind, choice };
    if (choice === "reject") no.take(body);
    else once.take(body);
    if (choice === "allowlist") rule.take(body);
    for (const b of node.querySelectorAll("button")) b.disabled = true;
    try {
      await api("/api/answer", body);
      say(choice === "reject" ? "rejected" : "accepted");
      node.dataset.answered = "1";
    } catch (e) {
      state.textContent = e.message;
    }
    loadAsks();
  };
  const once = onceField(ask, send), rule = ruleField(ask, send), no = rejectField(send);
  const node = make("article", { id, "aria-labelledby": id + "-title" },
    make("div", { class: "top" },
      make("h2", { id: id + "-title", tabindex: "-1" }, ask.asker && ask.asker !== "cli" ? `${ask.asker} asks: may this run?` : "May this run?"),
      make("span", { class: "soft left", "data-asked": ask.asked, "data-ends": ask.ends })),
    make("div", { class: "drain" }, make("span", {})),
    drawCommand(ask.command),
    make("p", { class: "why" }, ask.reason || ""),
    make("p", { class: "soft" }, `in ${ask.cwd}`, ask.session ? ` · session ${ask.session}` : null),
    lostBlock(ask.lost),
    make("div", { class: "pair" }, block("Its sandbox", ask.sandbox), block("What it does", ask.effects)),
    make("details", {}, make("summary", {}, "Each part, and the rule that decided it"), make("pre", {}, flush(ask.parts))),
    make("div", { class: "answers" }, once.node, rule.node, no.node),
    state);
  return node;
}

export function drawTimes() {
  for (const e of document.querySelectorAll("[data-ends]")) {
    const ends = Number(e.dataset.ends), asked = Number(e.dataset.asked), left = Math.max(0, ends - Date.now() / 1000);
    e.textContent = `rejected in ${clock(left)}`;
    e.classList.toggle("soon", left < 30);
    e.closest("article").querySelector(".drain span").style.width = `${Math.min(100, (left / Math.max(1, ends - asked)) * 100)}%`;
  }
}

let settling = 0;
function hold() {
  for (const b of document.querySelectorAll("#asks .accepts")) b.disabled = true;
  clearTimeout(settling);
  settling = setTimeout(() => {
    for (const b of document.querySelectorAll("#asks article:not([data-answered]) .accepts")) b.disabled = b.dataset.never === "1";
  }, STILL_MS);
}

/* Who answered by keyboard goes on with the next question, not at the top of the page. */
function passFocus(node) {
  if (!node.contains(document.activeElement) && document.activeElement !== document.body) return;
  const next = node.nextElementSibling || node.previousElementSibling;
  (next ? next.querySelector("h2") : $("approvals-title")).focus({ preventScroll: !next });
}

export async function loadAsks() {
  const { asks: list, more, alarm } = await api("/api/asks");
  const ids = new Set(list.map((a) => a.id));
  let moved = false;
  $("alarm").hidden = !alarm;
  for (const [id, node] of asks)
    if (!ids.has(id)) {
      passFocus(node);
      node.remove();
      asks.delete(id);
      moved = true;
    }
  for (const a of list.sort((x, y) => x.asked - y.asked)) {
    if (asks.has(a.id)) continue;
    const node = drawAsk(a);
    asks.set(a.id, node);
    $("asks").append(node);
    moved = true;
    if (!firstLook) say(`A command waits for your answer: ${a.command.map((p) => p.text).join("")}`);
  }
  firstLook = false;
  if (moved) hold();
  drawTimes();
  $("asks-none").hidden = asks.size > 0;
  $("asks-more").hidden = !more;
  $("asks-count").hidden = asks.size === 0;
  $("asks-count").textContent = asks.size;
  document.title = asks.size ? `(${asks.size}) cordon` : "cordon";
}
