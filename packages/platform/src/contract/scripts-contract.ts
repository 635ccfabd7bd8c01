import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script, ScriptResult } from '../scripts/scripts.ts';
import {
  type ContractCase,
  contractCase,
  eventually,
  processExists,
  rejectsWith,
  soon,
  scratchFolder,
} from './case.ts';
import type { ScriptBed } from './beds.ts';

const LIMIT_MS = 30_000;
const SHORT_LIMIT_MS = 3_000;
/** On a busy machine the script may not have started its child at the first limit. */
const LONGER_LIMITS_MS = [15_000, 45_000];
const FLOOD_LINES = 20_000;
const ODD_ARGUMENTS = ['a b', '', 'c&d', "it's", '(x)', 'é', 'C:\\x\\y'];

/** What every `Scripts` must do. */
export function scriptsContract(bed: ScriptBed): readonly ContractCase[] {
  return [...plainCases(bed), ...outputCases(bed), ...endingCases(bed), ...refusalCases(bed)];
}

function plainCases(bed: ScriptBed): readonly ContractCase[] {
  return [
    contractCase('a script gets its arguments and variables as they are', async () => {
      const show = 'console.log(JSON.stringify([process.argv.slice(2), process.env.CONTRACT_FACT]))';
      const { exitCode, output, timedOut } = await run(bed, show, {
        args: ODD_ARGUMENTS,
        env: { CONTRACT_FACT: 'a & b' },
      });
      assert.deepEqual({ exitCode, timedOut }, { exitCode: 0, timedOut: false }, output);
      assert.deepEqual(JSON.parse(output), [ODD_ARGUMENTS, 'a & b']);
    }),
    contractCase('a script inherits the search path and the proxy, and no other variable of ours', async () => {
      Object.assign(process.env, { CONTRACT_SECRET: 'secret', HTTPS_PROXY: 'http://127.0.0.1:3128' });
      const show =
        'console.log(JSON.stringify([typeof process.env.PATH, process.env.HTTPS_PROXY, process.env.CONTRACT_SECRET]))';
      const { output } = await run(bed, show);
      for (const name of ['CONTRACT_SECRET', 'HTTPS_PROXY']) Reflect.deleteProperty(process.env, name);
      assert.deepEqual(JSON.parse(output), ['string', 'http://127.0.0.1:3128', null]);
    }),
    contractCase("a failing script's exit code is reported", async () => {
      assert.equal((await run(bed, 'process.exitCode = 3')).exitCode, 3);
    }),
  ];
}

function outputCases(bed: ScriptBed): readonly ContractCase[] {
  return [
    contractCase('what goes to either stream is kept', async () => {
      const { output } = await run(bed, 'console.log("to out"); console.error("to err")');
      assert.deepEqual(lines(output).toSorted(), ['to err', 'to out']);
    }),
    contractCase('of very much output the last is kept, and it is reported that there was more', async () => {
      const flood = `for (let i = 1; i <= ${FLOOD_LINES}; i += 1) require('node:fs').writeSync(1, 'line ' + i + '\\n')`;
      const { output } = await run(bed, flood);
      assert.ok(output.length < 100_000, `${output.length} characters`);
      assert.match(output, /left out/);
      assert.equal(lines(output).at(-1), `line ${FLOOD_LINES}`);
    }),
    contractCase('a program that a script leaves behind does not hold it up', async () => {
      const begin = Date.now();
      const { exitCode, output } = await run(bed, `${SPAWN}; child.unref(); console.log(child.pid); process.exit(0)`);
      assert.equal(exitCode, 0);
      assert.ok(Date.now() - begin < LIMIT_MS / 2, 'it was waited for');
      process.kill(Number(lines(output)[0]), 'SIGKILL');
    }),
  ];
}

function endingCases(bed: ScriptBed): readonly ContractCase[] {
  return [
    contractCase('at its limit a script is ended with all that it has started', async () => {
      const { timedOut, output, exitCode } = await runToItsLimit(bed);
      assert.ok(timedOut, 'it did not time out');
      assert.notEqual(exitCode, 0);
      await allGone(lines(output).map(Number));
    }),
    contractCase('a script is ended with all that it has started when the signal fires', async () => {
      const folder = await scratchFolder(bed.folder);
      const file = join(folder, 'pids');
      const begun = `${SPAWN}; require('node:fs').writeFileSync(process.argv[2], [process.pid, child.pid].join('\\n') + '\\n')`;
      const interrupt = new AbortController();
      const ended = rejectsWith('INTERRUPTED', () => run(bed, begun, { args: [file] }, interrupt.signal));
      await eventually('the script runs', async () => (await textOf(file)).endsWith('\n'));
      interrupt.abort();
      await ended;
      await allGone(lines(await textOf(file)).map(Number));
    }),
    contractCase('nothing runs if the signal has fired already', async () => {
      const file = join(await scratchFolder(bed.folder), 'ran');
      const note = `require('node:fs').writeFileSync(process.argv[2], '')`;
      await rejectsWith('INTERRUPTED', () => run(bed, note, { args: [file] }, AbortSignal.abort()));
      assert.equal(await readFile(file, 'utf8').catch(() => undefined), undefined);
    }),
  ];
}

function refusalCases({ scripts, folder }: ScriptBed): readonly ContractCase[] {
  const missing = join(folder, 'no-such-script.cmd');
  return [
    contractCase('a script that is not there, or is not a file, is refused before anything', async () => {
      for (const path of [missing, folder]) {
        await rejectsWith('SCRIPT_FAILED', () => scripts.check({ path, args: [] }));
        await rejectsWith('SCRIPT_FAILED', () => scripts.run({ path, args: [], env: {}, limitMs: LIMIT_MS }, soon()));
      }
    }),
  ];
}

/** Starts a program in its own session that would outlive everything. */
const SPAWN =
  "const child = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true, stdio: 'inherit' })";
const HANG = `${SPAWN}; console.log(process.pid); console.log(child.pid); setTimeout(() => {}, 60_000)`;

async function run(
  bed: ScriptBed,
  program: string,
  change: Partial<Script> = {},
  signal: AbortSignal = soon(),
): Promise<ScriptResult> {
  const folder = join(await scratchFolder(bed.folder), 'with & blank');
  await mkdir(folder);
  const programFile = join(folder, 'program.cjs');
  await writeFile(programFile, program);
  const path = await bed.writeScript(folder, programFile);
  return bed.scripts.run({ path, args: [], env: {}, limitMs: LIMIT_MS, ...change }, signal);
}

async function runToItsLimit(bed: ScriptBed): Promise<ScriptResult> {
  let result = await run(bed, HANG, { limitMs: SHORT_LIMIT_MS });
  for (const limitMs of LONGER_LIMITS_MS) {
    if (lines(result.output).length === 2) break;
    result = await run(bed, HANG, { limitMs });
  }
  return result;
}

async function allGone(pids: readonly number[]): Promise<void> {
  assert.equal(pids.length, 2, `of the processes only ${pids.join(', ')} are known`);
  await eventually('all its processes are gone', async () => !pids.some(processExists));
}

function lines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
