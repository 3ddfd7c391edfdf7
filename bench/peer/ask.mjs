// ask.mjs MODULES: ask guards that are Node libraries, in one process.
//
// One JSON object per line on stdin, one answer per line on stdout, in order:
//   {peer: "gemini", command}                      its own policy: allow | ask_user | deny
//   {peer: "gemini", command, deny}                everything is allowed except that program
//   {peer: "ccsn", command, cwd, level}            allow | deny
//   {peer: "ccsn", command, cwd, level, deny, words}   the same, and that program with one of
//                                                  these words is denied by a rulebook
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

console.debug = console.log = () => {}; // stdout has only answers
const modules = process.argv[2];
const load = (path) => import(pathToFileURL(`${modules}/${path}`).href);
const gemini = '@google/gemini-cli-core/dist/src';
let engines;

async function loadGemini() {
  const { PolicyEngine } = await load(`${gemini}/policy/policy-engine.js`);
  const { createPolicyEngineConfig } = await load(`${gemini}/policy/config.js`);
  const { ApprovalMode, PolicyDecision } = await load(`${gemini}/policy/types.js`);
  const { buildArgsPatterns } = await load(`${gemini}/policy/utils.js`);
  const own = await createPolicyEngineConfig({}, ApprovalMode.DEFAULT);
  return {
    own: new PolicyEngine(own),
    // Like its TOML files: one rule allows the shell, one denies a commandPrefix.
    denying: (name) => new PolicyEngine({
      rules: [
        { toolName: 'run_shell_command', decision: PolicyDecision.ALLOW, priority: 1,
          allowRedirection: true },
        ...buildArgsPatterns(undefined, name, undefined).map((pattern) => ({
          toolName: 'run_shell_command', decision: PolicyDecision.DENY, priority: 2,
          argsPattern: new RegExp(pattern) })),
      ],
    }),
  };
}

async function askGemini(q) {
  engines ??= await loadGemini();
  const engine = q.deny ? engines.denying(q.deny) : engines.own;
  const call = { name: 'run_shell_command', args: { command: q.command } };
  return { answer: (await engine.check(call, undefined)).decision };
}

// A rulebook names a program and words; the library reads it again for each command.
function writeRulebook(q) {
  const folder = `${q.cwd}/.cc-safety-net/rules`;
  mkdirSync(`${folder}/one`, { recursive: true });
  writeFileSync(`${folder}/rule.json`, JSON.stringify({ version: 1, rules: ['one'] }));
  writeFileSync(`${folder}/one/rulebook.json`, JSON.stringify({
    rulebook_version: 1, name: 'one', version: '1.0.0', allowed_commands: [q.deny],
    rules: [{ name: 'one', command: q.deny, block_args: q.words, reason: 'forbidden' }],
  }));
}

async function askCcsn(q) {
  const { checkCommand } = await load('cc-safety-net/dist/api.js');
  process.env.CC_SAFETY_NET_LEVEL = q.level;
  if (q.deny) writeRulebook(q);
  return { answer: checkCommand({ command: q.command, cwd: q.cwd }).kind };
}

for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  let answer;
  try {
    answer = await (q.peer === 'gemini' ? askGemini(q) : askCcsn(q));
  } catch (e) {
    answer = { error: String(e) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
