"""A workspace, a home and cordon's own directories for tests of `cordon hook`."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CORDON_BUILD") or ROOT / "build").resolve()


class Place:
    def __init__(self, cordon=BUILD / "cordon", rules="", where=None):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="cordon-hook-", dir=where)).resolve()
        self.cordon = str(cordon)
        for name in ("ws/sub", "home", "state", "cache", "config/cordon"):
            (self.dir / name).mkdir(parents=True)
        self.ws = self.dir / "ws"
        (self.dir / "config/cordon/rules").write_text(rules)
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.dir / "home"),
                    "XDG_STATE_HOME": str(self.dir / "state"),
                    "XDG_CACHE_HOME": str(self.dir / "cache"),
                    "XDG_CONFIG_HOME": str(self.dir / "config"), "LC_ALL": "C.UTF-8"}

    def done(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def hook(self, host, payload, *args, **more):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run([self.cordon, "hook", host, *args], input=data, cwd=self.ws,
                              env=more.pop("env", self.env), capture_output=True, timeout=60,
                              check=False, **more)

    def payload(self, host, command, event=None):
        """The call of a shell, as each host sends it, and the name of its event."""
        ws = str(self.ws)
        if host == "claude":
            event = event or "PreToolUse"
            v = {"session_id": "s1", "cwd": ws, "permission_mode": "default",
                 "hook_event_name": event, "tool_name": "Bash",
                 "tool_input": {"command": command}}
            return event, v if event != "PreToolUse" else dict(v, tool_use_id="t1")
        if host == "cursor":
            event = event or "preToolUse"
            v = {"conversation_id": "s1", "generation_id": "g", "model": "m",
                 "hook_event_name": event, "cursor_version": "3", "workspace_roots": [ws],
                 "cwd": ws}
            if event == "preToolUse":
                return event, dict(v, tool_name="Shell", tool_input={"command": command})
            return event, dict(v, command=command, sandbox=False)
        if host == "codex":
            event = event or "PreToolUse"
            return event, {"session_id": "s1", "turn_id": "u", "cwd": ws, "hook_event_name": event,
                           "model": "m", "permission_mode": "default", "tool_name": "Bash",
                           "tool_input": {"command": command}}
        if host == "gemini":
            return "BeforeTool", {"session_id": "s1", "cwd": ws, "hook_event_name": "BeforeTool",
                                  "tool_name": "run_shell_command",
                                  "tool_input": {"command": command}}
        if host == "copilot":
            return "preToolUse", {"sessionId": "s1", "timestamp": 1, "cwd": ws, "toolName": "bash",
                                  "toolArgs": {"command": command}}
        if host == "pi":
            return "tool_call", {"type": "tool_call", "toolName": "bash", "toolCallId": "c",
                                 "input": {"command": command}, "cwd": ws, "sessionId": "s1",
                                 "hasUI": True}
        if host == "opencode":
            return "tool.execute.before", {"tool": "bash", "sessionID": "s1", "callID": "c",
                                           "args": {"command": command}, "directory": ws}
        if host == "windsurf":
            return "pre_run_command", {"agent_action_name": "pre_run_command",
                                       "trajectory_id": "s1",
                                       "tool_info": {"command_line": command, "cwd": ws}}
        if host == "cline":
            return "PreToolUse", {"clineVersion": "3", "hookName": "PreToolUse", "taskId": "s1",
                                  "workspaceRoots": [ws],
                                  "preToolUse": {"toolName": "execute_command",
                                                 "parameters": {"command": command}}}
        raise ValueError(host)


def rewritten(host, out):
    """The command that the host was handed; None: none."""
    v = json.loads(out or b"{}")
    for path in (("hookSpecificOutput", "updatedInput"), ("updated_input",),
                 ("hookSpecificOutput", "tool_input"), ("modifiedArgs",), ("input",), ("args",),
                 ("ask", "input")):
        at = v
        for key in path:
            at = at.get(key) if isinstance(at, dict) else None
        if at and "command" in at:
            return at["command"]
    return None
