const CALL = ["cordon", "hook", "opencode"];
/*
 * cordon for opencode: judge every tool call before it runs.
 *
 * A confined command runs as `cordon run ...`.  A plugin cannot ask, so a question becomes a
 * refusal with a hint.  A plugin blocks a call by throwing, and every fault here throws.
 */
import { spawnSync } from "node:child_process";

interface Call {
	tool: string;
	sessionID?: string;
	callID?: string;
}

type Arguments = Record<string, unknown>;

const WAIT_MS = 30_000;
const MOST_BYTES = 16 << 20;

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* Return new arguments, or undefined if they do not change. */
function judge(call: Call, args: Arguments, directory: string): Arguments | undefined {
	const question = { tool: call.tool, sessionID: call.sessionID, callID: call.callID, args,
		directory };
	const done = spawnSync(CALL[0]!, CALL.slice(1), {
		input: JSON.stringify(question), encoding: "utf8", timeout: WAIT_MS,
		maxBuffer: MOST_BYTES,
	});
	if (done.error) throw new Error(`cordon could not judge this call: ${done.error.message}`);
	if (done.status !== 0)
		throw new Error(`cordon could not judge this call: cordon exited with ${done.signal ?? done.status}`);
	const answer: unknown = JSON.parse(done.stdout);
	if (!isObject(answer)) throw new Error("cordon could not judge this call: no answer");
	for (const key of Object.keys(answer))
		if (key !== "deny" && key !== "args")
			throw new Error(`cordon could not judge this call: unknown "${key}"`);
	if (answer["deny"] !== undefined) throw new Error(String(answer["deny"]));
	if (answer["args"] === undefined) return undefined;
	if (!isObject(answer["args"])) throw new Error("cordon could not judge this call: no arguments");
	return answer["args"];
}

export const Cordon = async (place: { directory: string }) => ({
	"tool.execute.before": async (call: Call, output: { args: Arguments }): Promise<void> => {
		const args = judge(call, output.args, place.directory);

		if (!args) return;
		/* opencode runs the arguments of this object, so change it in place. */
		for (const key of Object.keys(output.args)) delete output.args[key];
		Object.assign(output.args, args);
	},
});
