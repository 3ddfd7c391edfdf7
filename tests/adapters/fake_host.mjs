/* fake_host.mjs PI.js OPENCODE.js BINDING.mjs: agents that are none, around the real adapters.
 * PATH decides which cordon they meet; the first argument of the environment MEETS says
 * which: real, or a broken one that must never let anything through. */
import { pathToFileURL } from "node:url";
import { mkdtempSync, mkdirSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [piFile, opencodeFile, bindingFile] = process.argv.slice(2);
const real = process.env.MEETS === "real";
const top = process.env.PLACE ?? mkdtempSync(join(tmpdir(), "adapter-"));
const project = join(top, "project");
mkdirSync(project, { recursive: true });
if (real) execFileSync("git", ["init", "-q", project]);

function check(name, good, what) {
	console.log(good ? `ok ${name}` : `not ok ${name} ${JSON.stringify(what)}`);
}

let handler;
(await import(pathToFileURL(piFile))).default({ on: (event, h) => { if (event === "tool_call") handler = h; } });
const asked = [];
const context = (says, ui = true) => ({
	cwd: project, hasUI: ui, mode: "tui", isProjectTrusted: () => true,
	sessionManager: { getSessionId: () => "s-1" },
	ui: ui ? { confirm: async (_, message) => { asked.push(message); return says; } } : undefined,
});
const pi = async (input, says = false, ui = true, toolName = "bash") => {
	const call = { toolName, toolCallId: "c", input };
	return { result: await handler(call, context(says, ui)), input: call.input };
};

const plugin = await (await import(pathToFileURL(opencodeFile))).Cordon({ directory: project });
const opencode = async (args, tool = "bash") => {
	const output = { args };
	try {
		await plugin["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, output);
		return { args: output.args };
	} catch (error) {
		return { error: error.message };
	}
};

if (real) {
	let got = await pi({ command: "ls -la", timeout: 3 });
	check("pi allow", !got.result && got.input.command === "ls -la", got);
	got = await pi({ command: "make -j2", timeout: 3 });
	check("pi confine", !got.result && / run .*-c 'make -j2'$/.test(got.input.command) &&
		got.input.timeout === 3, got);
	got = await pi({ command: "git push" }, false);
	check("pi ask no", got.result?.block === true && asked.length === 1 &&
		got.input.command === "git push", got);
	got = await pi({ command: "git push" }, true);
	check("pi ask yes", !got.result && /--grant/.test(got.input.command), got);
	got = await pi({ command: "git push" }, true, false);
	check("pi ask nobody", got.result?.block === true, got);
	got = await pi({ command: "cat ~/.ssh/id_rsa" }, true);
	check("pi deny", got.result?.block === true, got);
	got = await pi({ path: "/etc/outside" }, true, true, "write");
	check("pi write outside", got.result?.block === true, got);
	got = await opencode({ command: "ls" });
	check("opencode allow", got.args?.command === "ls", got);
	got = await opencode({ command: "make -j2", description: "d" });
	check("opencode confine", / run .*-c 'make -j2'$/.test(got.args?.command ?? "") &&
		got.args.description === "d", got);
	got = await opencode({ command: "git push" });
	check("opencode ask", got.error !== undefined && !got.args, got);
	got = await opencode({ command: "cat ~/.ssh/id_rsa" });
	check("opencode deny", got.error !== undefined, got);
	const { Cordon } = await import(pathToFileURL(bindingFile));
	const cordon = new Cordon({ args: ["--cwd", project] });
	const answers = await Promise.all(["ls", "git push", "rm -rf /"].map((c) => cordon.check(c)));
	check("node binding", answers.map((a) => a.verdict).join() === "allow,ask,deny", answers);
	const bad = await cordon.check(7).catch((error) => error);
	check("node binding bad question", bad instanceof Error, bad);
	cordon.close();
	const closed = await cordon.check("ls").catch((error) => error);
	check("node binding closed", closed instanceof Error, closed);
} else {
	const got = await pi({ command: "ls" }, true);
	check(`pi ${process.env.MEETS}`, got.result?.block === true && got.input.command === "ls", got);
	const other = await opencode({ command: "ls" });
	check(`opencode ${process.env.MEETS}`, other.error !== undefined && !other.args, other);
	const { Cordon } = await import(pathToFileURL(bindingFile));
	const cordon = new Cordon({ timeout: 5000 });
	const answer = await cordon.check("ls").catch((error) => error);
	check(`node binding ${process.env.MEETS}`, answer instanceof Error, answer);
	cordon.close();
}
