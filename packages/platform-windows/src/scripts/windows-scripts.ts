import { spawn } from 'node:child_process';
import { win32 } from 'node:path';
import {
  awaitScript,
  childEnvironment,
  requireScriptFile,
  type Script,
  type ScriptResult,
  type Scripts,
  throwIfAborted,
} from '@fenestra/platform';
import type { Native } from '../native.ts';
import { holdTree } from './process-tree.ts';
import { scriptCommand, type ScriptCommand } from './script-command.ts';

/** Scripts as Windows runs them: by PowerShell, by cmd.exe, or programs by themselves. */
export function windowsScripts(native: Native): Scripts {
  return {
    async check(script) {
      await commandFor(script);
    },
    async run(script, signal) {
      throwIfAborted(`running the script "${script.path}"`, signal);
      return start(native, script, await commandFor(script), signal);
    },
  };
}

async function commandFor({ path, args }: Pick<Script, 'path' | 'args'>): Promise<ScriptCommand> {
  const whole = win32.resolve(path);
  await requireScriptFile(whole);
  return scriptCommand(whole, args, win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32'));
}

async function start(
  native: Native,
  script: Script,
  { executable, args, verbatim }: ScriptCommand,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const child = spawn(executable, [...args], {
    env: childEnvironment(script.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
  // At once, so that nothing it starts escapes.
  const tree = child.pid === undefined ? undefined : holdTree(native, child.pid);
  const endTree = async (): Promise<void> => {
    tree?.end();
    child.kill();
  };
  return awaitScript({ script, child, endTree }, signal).finally(() => tree?.close());
}
