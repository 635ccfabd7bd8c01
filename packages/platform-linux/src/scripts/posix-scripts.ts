import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, constants, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  awaitScript,
  childEnvironment,
  requireScriptFile,
  type Script,
  type ScriptResult,
  type Scripts,
  throwIfAborted,
} from '@fenestra/platform';
import { fileError } from '@fenestra/kernel';
import { sendSignal, markedProcesses } from '../host/processes.ts';

/** Scripts as Linux runs them: by themselves where they may be executed, otherwise by the shell their first line names. */
export function posixScripts(): Scripts {
  return {
    check: async ({ path }) => requireScriptFile(resolve(path)),
    async run(script, signal) {
      throwIfAborted(`running the script "${script.path}"`, signal);
      const path = resolve(script.path);
      await requireScriptFile(path);
      const words = (await isExecutable(path)) ? [path] : [await interpreterOf(path), path];
      return start(script, words, signal);
    },
  };
}

/** The shell only puts both streams into one, so that their order is kept, and gives way to the script. */
async function start(script: Script, words: readonly string[], signal: AbortSignal): Promise<ScriptResult> {
  const mark = randomUUID();
  const child = spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...words, ...script.args], {
    // Its own group: what the terminal sends to us is not meant for it.
    detached: true,
    env: childEnvironment({ ...script.env, [SCRIPT_VARIABLE]: mark }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const endTree = async (): Promise<void> => {
    // A process that dropped the mark with the rest of its environment is in the group, as a rule.
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
    await endMarked(mark);
  };
  return awaitScript({ script, child, endTree }, signal);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const FIRST_LINE_BYTES = 256;

async function interpreterOf(path: string): Promise<string> {
  return interpreterIn(await firstBytes(path));
}

/** `bash` if the first line asks for it, the system's shell otherwise. */
export function interpreterIn(text: string): 'bash' | '/bin/sh' {
  const [firstLine = ''] = text.split('\n', 1);
  return /^#!.*\bbash\b/.test(firstLine) ? 'bash' : '/bin/sh';
}

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}

/** The mark that everything a script starts inherits, so that what leaves its group or session is still found. */
const SCRIPT_VARIABLE = 'FENESTRA_SCRIPT';

const PAUSE_MS = 20;

/** Ends all processes with this mark; again and again, because one may just have started another. */
async function endMarked(mark: string): Promise<void> {
  for (;;) {
    const pids = await markedProcesses(SCRIPT_VARIABLE, mark);
    if (pids.length === 0) return;
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(PAUSE_MS);
  }
}
