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
  unrunnable,
} from '@fenestra/platform';
import type { Native } from '../native.ts';
import { holdTree } from './process-tree.ts';

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

/** What runs a script. */
export interface ScriptCommand {
  readonly executable: string;
  readonly args: readonly string[];
  /** Whether the arguments are a command line already, and are not to be quoted again. */
  readonly verbatim: boolean;
}

/** What cmd.exe gives a meaning even between quotes, and what would end them. */
const UNQUOTABLE = /["%\r\n\0]/;

/** The programs are named by their whole paths, so that none is found elsewhere first. */
export function scriptCommand(path: string, args: readonly string[], systemFolder: string): ScriptCommand {
  switch (win32.extname(path).toLowerCase()) {
    case '.ps1':
      return {
        executable: win32.join(systemFolder, POWERSHELL),
        args: [...POWERSHELL_ARGS, path, ...args],
        verbatim: false,
      };
    case '.cmd':
    case '.bat':
      return { executable: win32.join(systemFolder, 'cmd.exe'), args: batchArguments(path, args), verbatim: true };
    case '.exe':
      return { executable: path, args, verbatim: false };
    default:
      throw unrunnable(path, 'Windows cannot run this type of file', 'Give a .ps1, .cmd, .bat or .exe file.');
  }
}

const POWERSHELL = win32.join('WindowsPowerShell', 'v1.0', 'powershell.exe');
const POWERSHELL_ARGS = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File'] as const;

/** With `/s` cmd.exe takes off the outer quotes and nothing else; `/d` and `/v:off` keep the machine's settings out. */
function batchArguments(path: string, args: readonly string[]): readonly string[] {
  const words = [path, ...args];
  const odd = words.find((word) => UNQUOTABLE.test(word));
  if (odd !== undefined) throw unrunnable(path, `cmd.exe cannot be given ${JSON.stringify(odd)}`, RENAME);
  return ['/d', '/v:off', '/s', '/c', `"${words.map((word) => `"${word}"`).join(' ')}"`];
}

const RENAME = 'Use a path and arguments without quotes, percent signs and line breaks, or a .ps1 script.';
