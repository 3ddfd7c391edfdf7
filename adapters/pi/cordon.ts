const CALL = ["cordon", "hook", "pi"];
/*
 * cordon for pi: judge every tool call before it runs.
 *
 * A confined command runs as `cordon run ...`; questions appear in pi.  Every fault refuses the
 * call: a missing program, a crash, a timeout, an invalid answer.
 */
import { spawnSync } from "node:child_process";

interface ToolCall {
	toolName: string;
	toolCallId?: string;
	input: Record<string, unknown>;
}

interface Context {
	cwd: string;
	hasUI?: boolean;
	mode?: string;
	isProjectTrusted?(): boolean;
	sessionManager?: { getSessionId?(): string };
	ui?: { confirm(title: string, message: string): Promise<boolean> };
}

type Block = { block: true; reason: string };
type Changes = Record<string, unknown>;

interface Answer {
	block?: boolean;
	reason?: string;
	input?: Changes;
	ask?: { message: string; input?: Changes };
}

interface Pi {
	on(event: "tool_call",
		handler: (call: ToolCall, ctx: Context) => Promise<Block | undefined>): void;
}

const WAIT_MS = 30_000;
const MOST_BYTES = 16 << 20;

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* Return the answer, or throw an error with the reason. */
function judge(call: ToolCall, ctx: Context): Answer {
	const question = {
		type: "tool_call",
		toolName: call.toolName,
		toolCallId: call.toolCallId,
		input: call.input,
		cwd: ctx.cwd,
		sessionId: ctx.sessionManager?.getSessionId?.(),
		hasUI: ctx.hasUI === true && ctx.ui !== undefined,
		mode: ctx.mode,
		projectTrusted: ctx.isProjectTrusted?.(),
	};
	const done = spawnSync(CALL[0]!, CALL.slice(1), {
		input: JSON.stringify(question), encoding: "utf8", timeout: WAIT_MS,
		maxBuffer: MOST_BYTES,
	});
	if (done.error) throw done.error;
	if (done.status !== 0) throw new Error(`cordon exited with ${done.signal ?? done.status}`);
	const answer: unknown = JSON.parse(done.stdout);
	if (!isObject(answer)) throw new Error("invalid answer");
	for (const key of Object.keys(answer))
		if (!["block", "reason", "input", "ask"].includes(key))
			throw new Error(`unknown member "${key}" in the answer`);
	/* An answer with a question must also block, in case the question cannot be asked. */
	if (answer["ask"] !== undefined && (answer["block"] !== true || !isObject(answer["ask"])))
		throw new Error("the answer asks but does not block");
	for (const changes of [answer["input"], isObject(answer["ask"]) ? answer["ask"]["input"] : undefined])
		if (changes !== undefined && !isObject(changes))
			throw new Error("invalid input in the answer");
	return answer as Answer;
}

async function decide(call: ToolCall, ctx: Context): Promise<Block | undefined> {
	const answer = judge(call, ctx);
	let changes = answer.input;

	if (answer.block) {
		const reason = answer.reason || "cordon: refused";
		if (!answer.ask || !ctx.ui) return { block: true, reason };
		const agreed = await ctx.ui.confirm("cordon", answer.ask.message);
		if (agreed !== true) return { block: true, reason: `${reason}\nThe user said no.` };
		changes = answer.ask.input;
	}
	/* pi runs the command of this object, so change it in place. */
	if (changes) Object.assign(call.input, changes);
	return undefined;
}

export default function cordon(pi: Pi): void {
	pi.on("tool_call", async (call, ctx) => {
		try {
			return await decide(call, ctx);
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			return { block: true,
				reason: `cordon could not judge this call: ${why} (hint: run \`cordon doctor\`)` };
		}
	});
}
