"""A model that asks for one shell command and then says `done`.

It speaks the wires of Anthropic, OpenAI (responses) and Gemini as far as their agents need
it, on a port of this machine, so that a real agent goes through a whole tool call without a
network or an account.  `seen` has every request.
"""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def sse(events):
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(b"{}")

    def do_HEAD(self):
        self.answer(b"")

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            request = json.loads(raw)
        except ValueError:
            request = {}
        self.server.seen.append((self.path, request))
        if "/messages" in self.path and "count_tokens" not in self.path:
            self.anthropic(request)
        elif "/responses" in self.path:
            self.openai(request)
        elif "generatecontent" in self.path.lower():
            self.gemini(request)
        else:
            self.answer(b'{"input_tokens":1}')

    def anthropic(self, request):
        ended = "tool_result" in json.dumps(request.get("messages", []))
        shell = next((t["name"] for t in request.get("tools", [])
                      if t.get("name", "").lower() == "bash"), None)
        arguments = {"command": self.server.command, "description": "x"}
        if ended or not shell:
            block, stop = {"type": "text", "text": ""}, "end_turn"
            delta = {"type": "text_delta", "text": "done"}
        else:
            block, stop = {"type": "tool_use", "id": "toolu_1", "name": shell, "input": {}}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
                   "model": request.get("model", "m"), "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        if not request.get("stream"):
            whole = {**block, **({"text": "done"} if stop == "end_turn" else {"input": arguments})}
            self.answer(json.dumps({**message, "content": [whole], "stop_reason": stop}).encode())
            return
        self.answer(sse([
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"}]), "text/event-stream")

    def openai(self, request):
        ended = any(str(i.get("type", "")).endswith("_output") for i in request.get("input", [])
                    if isinstance(i, dict))
        names = [t.get("name") or t.get("type") for t in request.get("tools", [])]
        call = {"type": "function_call", "id": "f1", "call_id": "c1"}
        if ended:
            item = {"type": "message", "role": "assistant", "id": "m1",
                    "content": [{"type": "output_text", "text": "done"}]}
        elif "exec_command" in names:
            item = {**call, "name": "exec_command",
                    "arguments": json.dumps({"cmd": self.server.command})}
        elif "shell_command" in names:
            item = {**call, "name": "shell_command",
                    "arguments": json.dumps({"command": self.server.command})}
        else:
            item = {**call, "name": "shell",
                    "arguments": json.dumps({"command": ["bash", "-lc", self.server.command]})}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                 "input_tokens_details": None, "output_tokens_details": None}
        self.answer(sse([
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r1", "usage": usage}}]),
            "text/event-stream")

    def gemini(self, request):
        ended = "functionResponse" in json.dumps(request.get("contents", []))
        names = [f.get("name") for t in request.get("tools", [])
                 for f in t.get("functionDeclarations", [])]
        part = {"text": "done"}
        if not ended and "run_shell_command" in names:
            part = {"functionCall": {"name": "run_shell_command",
                                     "args": {"command": self.server.command, "description": "x"}}}
        whole = {"candidates": [{"content": {"role": "model", "parts": [part]},
                                 "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1,
                                   "totalTokenCount": 2}}
        if "stream" in self.path:
            self.answer(f"data: {json.dumps(whole)}\r\n\r\n".encode(), "text/event-stream")
        else:
            self.answer(json.dumps(whole).encode())


def start(command):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.command, server.seen = command, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
