// tests/tools/mcp_client.mjs FOLDER CORDON PROJECT: the published MCP client, which checks
// every message against the protocol's own schemas, drives `cordon mcp` over stdio.
// FOLDER has the package.  One line for each test: ok NAME, or not ok NAME why.
import { createRequire } from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import assert from "node:assert/strict";

const [folder, cordon, project] = process.argv.slice(2);
const require = createRequire(folder + "/from.js");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");

async function connect(answer) {
	const asked = [];
	const capabilities = answer ? { elicitation: {} } : {};
	const client = new Client({ name: "test", version: "1" }, { capabilities });
	if (answer)
		client.setRequestHandler(ElicitRequestSchema, async (request) => {
			asked.push(request.params.message);
			return answer;
		});
	client.onerror = (error) => asked.push("error: " + error);
	await client.connect(new StdioClientTransport({
		command: cordon, args: ["mcp"], cwd: project, env: { HOME: process.env.HOME,
			PATH: process.env.PATH }, stderr: "ignore" }));
	return { client, asked };
}

const call = (client, name, args, options) =>
	client.callTool({ name, arguments: args }, undefined, options);
const text = (result) => result.content.map((c) => c.text).join("");

const tests = {
	async handshake({ client }) {
		assert.equal(client.getServerVersion().name, "cordon");
		assert.ok(client.getServerCapabilities().tools);
		await client.ping();
		const { tools } = await client.listTools();
		assert.deepEqual(tools.map((t) => t.name),
			["shell", "check", "explain", "read_file", "write_file"]);
	},
	async shell({ client }) {
		const parts = [];
		const done = await call(client, "shell", { command: "echo one; sleep 1; echo two" },
			{ onprogress: (p) => parts.push(p.message) });
		assert.equal(text(done), "one\ntwo\n");
		assert.ok(!done.isError && parts.join("").startsWith("one"), parts);
		const failed = await call(client, "shell", { command: "exit 7" });
		assert.ok(failed.isError && text(failed).includes("7"), text(failed));
	},
	async denied({ client, asked }) {
		const done = await call(client, "shell", { command: "cat ~/.ssh/id_rsa" });
		assert.ok(done.isError && /denied/.test(text(done)), text(done));
		assert.equal(asked.length, 0);
	},
	async ask_without_elicitation({ client }) {
		const done = await call(client, "shell", { command: "git push origin main" });
		assert.ok(done.isError, text(done));
	},
	async check({ client }) {
		const done = await call(client, "check", { command: "git push --force" });
		const answer = JSON.parse(text(done));
		assert.ok(["ask", "deny"].includes(answer.verdict) && answer.commands.length === 1);
		assert.equal(JSON.parse(text(await call(client, "check", { command: "ls" }))).verdict,
			"allow");
	},
	async explain({ client }) {
		assert.match(text(await call(client, "explain", { command: "rm -rf /" })), /rm -rf \//);
	},
	async files({ client }) {
		const path = project + "/new.txt";
		let done = await call(client, "write_file", { path, content: "h\u00e4\n" });
		assert.ok(!done.isError, text(done));
		assert.equal(readFileSync(path, "utf8"), "h\u00e4\n");
		assert.equal(text(await call(client, "read_file", { path: "new.txt" })), "h\u00e4\n");
		done = await call(client, "write_file", { path: "/etc/cordon-mcp-test", content: "x" });
		assert.ok(done.isError && !existsSync("/etc/cordon-mcp-test"), text(done));
		done = await call(client, "read_file", { path: process.env.HOME + "/.ssh/id_rsa" });
		assert.ok(done.isError, text(done));
	},
	async cancel({ client }) {
		const stop = new AbortController();
		const began = Date.now();
		setTimeout(() => stop.abort(), 300);
		await assert.rejects(call(client, "shell", { command: "sleep 60" },
			{ signal: stop.signal }));
		assert.equal(text(await call(client, "shell", { command: "echo on" })), "on\n");
		assert.ok(Date.now() - began < 50000);
	},
	async errors({ client }) {
		await assert.rejects(call(client, "no_such_tool", {}));
		for (const args of [{}, { command: 7 }, { command: "ls", more: 1 }, { command: "a\u0000b" }]) {
			let failed = false;
			try {
				failed = (await call(client, "shell", args)).isError === true;
			} catch {
				failed = true;
			}
			assert.ok(failed, JSON.stringify(args));
		}
		await assert.rejects(client.request({ method: "no/such" }, ElicitRequestSchema));
		await client.ping();
	},
};

async function elicited(answer, runs) {
	const { client, asked } = await connect(answer);
	writeFileSync(project + "/mine.txt", "x");
	const done = await call(client, "shell", { command: "git clean -fd . && echo gone" });
	assert.equal(asked.length, 1, asked);
	assert.equal(!done.isError, runs, text(done));
	assert.equal(existsSync(project + "/mine.txt"), !runs, text(done));
	await client.close();
}

async function attempt(name, test) {
	try {
		await test();
		console.log("ok mcp-" + name);
	} catch (error) {
		console.log(`not ok mcp-${name} ${String(error.stack ?? error).replaceAll("\n", " ").slice(0, 700)}`);
	}
}

for (const [name, test] of Object.entries(tests))
	await attempt(name, async () => {
		const server = await connect();
		await test(server);
		await server.client.close();
		assert.ok(!server.asked.some((m) => m.startsWith("error:")), server.asked.join());
	});
await attempt("elicit-yes", () => elicited({ action: "accept", content: { approve: true } }, true));
await attempt("elicit-no", () => elicited({ action: "decline" }, false));
await attempt("elicit-cancel", () => elicited({ action: "cancel" }, false));
await attempt("elicit-empty", () => elicited({ action: "accept", content: {} }, false));
// A test that failed leaves its server behind.
process.exit(0);
