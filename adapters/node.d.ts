// The parts of Node that the adapters use, to check types without a package.
declare module "node:child_process" {
	export function spawnSync(
		file: string,
		args: string[],
		options: { input: string; encoding: "utf8"; timeout: number; maxBuffer: number },
	): { error?: Error; status: number | null; signal: string | null; stdout: string };
}
