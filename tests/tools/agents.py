"""What each agent makes of a hook's answer, written down: effect(HOST, EVENT, status, out, err).

One of: `allow` (runs, nobody is asked), `rewrite` (another input runs), `ask` (a person
decides), `deny` (does not run), `silent` (the agent's own permissions decide), `open` (the
agent takes the hook for failed, and the tool runs).  The forms are those that the vendors
document, or that were read in their sources; whatever is not of such a form is `open`.
"""
import json


class Wrong(Exception):
    """The answer is none that the agent accepts."""


def members(v, allowed, needed=()):
    if not isinstance(v, dict):
        raise Wrong("no object")
    extra = set(v) - set(allowed)
    if extra:
        raise Wrong(f"unknown keys {sorted(extra)}")
    for key in needed:
        if key not in v:
            raise Wrong(f"{key} is missing")
    for key, value in v.items():
        if not isinstance(value, allowed[key]):
            raise Wrong(f"{key} is {type(value).__name__}")
    return v


def text(v, key):
    if not v.get(key):
        raise Wrong(f"{key} is empty")


def load(out):
    try:
        return json.loads(out)
    except ValueError as e:
        raise Wrong(f"not JSON: {e}") from e


def permission_request(top, with_input):
    specific = members(top, {"hookSpecificOutput": dict}, ["hookSpecificOutput"])["hookSpecificOutput"]
    members(specific, {"hookEventName": str, "decision": dict}, ["hookEventName", "decision"])
    if specific["hookEventName"] != "PermissionRequest":
        raise Wrong("the name of another event")
    allowed = {"behavior": str, "message": str}
    if with_input:
        allowed["updatedInput"] = dict
    decision = members(specific["decision"], allowed, ["behavior"])
    if decision["behavior"] == "deny":
        text(decision, "message")
        return "deny"
    if decision["behavior"] != "allow":
        raise Wrong("an unknown behavior")
    return "rewrite" if "updatedInput" in decision else "allow"


def claude(event, status, out, err):
    if event == "ConfigChange" and out:
        v = members(load(out), {"decision": str, "reason": str}, ["decision", "reason"])
        text(v, "reason")
        if v["decision"] != "block":
            raise Wrong("an unknown decision")
    if status == 2:
        return "deny" if err.strip() else "open"
    if status != 0:
        return "open"
    if not out:
        return "silent"
    top = load(out)
    if event == "ConfigChange":
        return "deny"
    if event == "PermissionRequest":
        return permission_request(top, True)
    members(top, {"hookSpecificOutput": dict}, ["hookSpecificOutput"])
    v = members(top["hookSpecificOutput"],
                {"hookEventName": str, "permissionDecision": str, "permissionDecisionReason": str,
                 "updatedInput": dict}, ["hookEventName"])
    if v["hookEventName"] != "PreToolUse":
        raise Wrong("the name of another event")
    decision = v.get("permissionDecision")
    if decision is None:
        return "rewrite" if "updatedInput" in v else "silent"
    text(v, "permissionDecisionReason")
    if decision not in ("allow", "ask", "deny"):
        raise Wrong("an unknown decision")
    if decision == "allow" and "updatedInput" in v:
        return "rewrite"
    return decision


def cursor(event, status, out, err):
    if status == 2:
        return "deny"
    if status != 0:
        return "open"
    top = load(out)
    if event in ("sessionStart", "afterFileEdit", "stop"):
        members(top, {})
        return "silent"
    allowed = {"permission": str, "user_message": str}
    if event not in ("beforeReadFile", "beforeTabFileRead"):
        allowed["agent_message"] = str
    if event == "preToolUse":
        allowed["updated_input"] = dict
    members(top, allowed, ["permission"])
    word = top["permission"]
    if word == "allow":
        return "rewrite" if "updated_input" in top else "allow"
    text(top, "user_message")
    if word == "ask" and event in ("beforeShellExecution", "beforeMCPExecution"):
        return "ask"
    if word != "deny":
        raise Wrong("an ask that this event does not obey")
    return "deny"


def codex(event, status, out, err):
    if status == 2:
        return "deny" if err.strip() else "open"
    if status != 0:
        return "open"
    if not out:
        return "silent"
    top = load(out)
    if event == "PermissionRequest":
        return permission_request(top, False)
    members(top, {"hookSpecificOutput": dict}, ["hookSpecificOutput"])
    v = members(top["hookSpecificOutput"],
                {"hookEventName": str, "permissionDecision": str, "permissionDecisionReason": str,
                 "updatedInput": dict}, ["hookEventName", "permissionDecision"])
    if v["hookEventName"] != "PreToolUse":
        raise Wrong("the name of another event")
    if v["permissionDecision"] == "deny":
        text(v, "permissionDecisionReason")
        return "deny"
    if v["permissionDecision"] != "allow" or "updatedInput" not in v:
        raise Wrong("an ask, or an allow without another input")
    if set(v["updatedInput"]) != {"command"}:
        raise Wrong("the input of Codex is a command alone")
    return "rewrite"


def gemini(event, status, out, err):
    if status != 0:
        return "deny" if status != 1 and (out.strip() or err.strip()) else "open"
    if not out:
        return "silent" if not err else "open"
    top = members(load(out), {"decision": str, "reason": str, "hookSpecificOutput": dict})
    if "hookSpecificOutput" in top:
        members(top["hookSpecificOutput"], {"tool_input": dict}, ["tool_input"])
    decision = top.get("decision")
    if decision is None:
        return "rewrite" if "hookSpecificOutput" in top else "silent"
    text(top, "reason")
    if decision not in ("ask", "deny"):
        raise Wrong("an unknown decision")
    return decision


def copilot(event, status, out, err):
    if status != 0:
        return "open"
    if not out:
        return "silent"
    allowed = {"permissionDecision": str, "permissionDecisionReason": str, "modifiedArgs": dict}
    if event == "PreToolUse":
        allowed["hookSpecificOutput"] = dict
    top = members(load(out), allowed)
    decision = top.get("permissionDecision")
    if event == "PreToolUse":
        v = dict(top["hookSpecificOutput"])
        if v.pop("hookEventName") != "PreToolUse" or v.get("permissionDecision") != decision:
            raise Wrong("two answers that differ")
        if v.get("updatedInput") != top.get("modifiedArgs"):
            raise Wrong("two inputs that differ")
    if decision in ("ask", "deny"):
        text(top, "permissionDecisionReason")
        return decision
    if decision not in ("allow", None):
        raise Wrong("an unknown decision")
    if "modifiedArgs" in top:
        return "rewrite"
    return "allow" if decision else "silent"


def pi(event, status, out, err):
    # The extension blocks on any status but 0, and on anything that it cannot read.
    if status != 0 or not out:
        return "deny"
    top = members(load(out), {"block": bool, "reason": str, "input": dict, "ask": dict})
    if "ask" in top:
        members(top["ask"], {"message": str, "input": dict}, ["message"])
    if top.get("block") is True:
        text(top, "reason")
        return "ask" if "ask" in top else "deny"
    if "block" in top or "ask" in top:
        raise Wrong("an ask without a block")
    return "rewrite" if "input" in top else "allow"


def opencode(event, status, out, err):
    if status != 0 or not out:
        return "deny"
    top = members(load(out), {"deny": str, "args": dict})
    if "deny" in top:
        text(top, "deny")
        return "deny"
    return "rewrite" if "args" in top else "allow"


def windsurf(event, status, out, err):
    if out:
        raise Wrong("an output that nobody reads")
    if status == 2:
        return "deny" if err.strip() else "open"
    return "silent" if status == 0 else "open"


def cline(event, status, out, err):
    if status != 0 or not out:
        return "open"
    top = members(load(out), {"cancel": bool, "errorMessage": str}, ["cancel"])
    if top["cancel"]:
        text(top, "errorMessage")
        return "deny"
    return "allow"


def auto(event, status, out, err):
    return "deny" if status == 2 and err.strip() else "open"


# Every function of that form above is an agent.
FORM = ("event", "status", "out", "err")
HOSTS = {name: f for name, f in list(globals().items())
         if hasattr(f, "__code__") and f.__code__.co_varnames[:f.__code__.co_argcount] == FORM}


def effect(host, event, status, out, err):
    """The effect, and why it is `open` where it is."""
    try:
        if out and not out.endswith("\n"):
            raise Wrong("no newline at the end")
        return HOSTS[host](event, status, out, err), ""
    except Wrong as e:
        return "open", str(e)
