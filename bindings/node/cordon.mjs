/*
 * cordon for Node: one `cordon check --batch` process that answers many questions.
 *
 *	import { Cordon } from "./cordon.mjs";
 *	const cordon = new Cordon();
 *	const answer = await cordon.check("git push", { cwd: "/work" });
 *	if (answer.verdict !== "allow") ...
 *	cordon.close();
 *
 * A question that gets no answer is rejected: treat that as a no.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Cordon {
	#child;
	#waiting = new Map();
	#next = 1;
	#why = null;

	constructor({ program = "cordon", args = [], timeout = 30_000 } = {}) {
		this.timeout = timeout;
		this.#child = spawn(program, ["check", "--batch", ...args],
			{ stdio: ["pipe", "pipe", "inherit"] });
		this.#child.on("error", (error) => this.#end(error));
		this.#child.on("exit", (code, signal) =>
			this.#end(new Error(`cordon ended with ${signal ?? code}`)));
		this.#child.stdin.on("error", (error) => this.#end(error));
		createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(line));
	}

	#end(error) {
		this.#why ??= error;
		for (const { reject, timer } of this.#waiting.values()) {
			clearTimeout(timer);
			reject(this.#why);
		}
		this.#waiting.clear();
	}

	#take(line) {
		let answer;
		try {
			answer = JSON.parse(line);
		} catch (error) {
			return this.#end(error);
		}
		const question = this.#waiting.get(answer.id);
		if (!question) return this.#end(new Error("cordon answered what was not asked"));
		this.#waiting.delete(answer.id);
		clearTimeout(question.timer);
		if (answer.error !== undefined && answer.verdict === undefined)
			question.reject(new Error(answer.error));
		else
			question.resolve(answer);
	}

	/* `more`: cwd, roots, tool, path, session, mode, interactive and the like. */
	check(command, more = {}) {
		if (this.#why) return Promise.reject(this.#why);
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#waiting.delete(id);
				reject(new Error("cordon took too long"));
				this.close();
			}, this.timeout);
			this.#waiting.set(id, { resolve, reject, timer });
			this.#child.stdin.write(`${JSON.stringify({ ...more, id, command })}\n`);
		});
	}

	close() {
		this.#end(new Error("closed"));
		this.#child.stdin.end();
		this.#child.kill();
	}
}
