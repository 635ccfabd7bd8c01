import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  awaitScript,
  childEnvironment,
  requireScriptFile,
  type Script,
  type ScriptResult,
  type Scripts,
  throwIfAborted,
} from '@fenestra/platform';
import { sendSignal } from '../host/send-signal.ts';
import { endMarked, SCRIPT_VARIABLE } from './script-processes.ts';
import { interpreterOf } from './interpreter.ts';

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
    // A group of its own: what the terminal sends to us is not meant for it.
    detached: true,
    env: childEnvironment({ ...script.env, [SCRIPT_VARIABLE]: mark }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const endTree = async (): Promise<void> => {
    // Whoever dropped the mark with the rest of its environment is in the group, as a rule.
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
