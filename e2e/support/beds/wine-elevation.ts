import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { RunOptions } from './bed-node.ts';
import { RUNTIME } from './checkout.ts';
import type { CommandResult } from './command.ts';
import type { NodeRoot } from './node-root.ts';
import { toWindowsPath } from './windows-path.ts';
import type { WineMachine } from './wine-machine.ts';

const SCRIPT = join(import.meta.dirname, 'windows-side', 'elevate.cjs');

/** Runs a Windows program with an elevated token, which under Wine only the `runas` verb gives. */
export async function runElevated(
  root: NodeRoot,
  machine: WineMachine,
  argv: readonly string[],
  options: RunOptions,
): Promise<CommandResult> {
  const [program = '', ...args] = argv;
  const order = `/tmp/elevated-${randomBytes(4).toString('hex')}`;
  await writeFile(root.path(order), JSON.stringify({ program, args, env: options.env ?? {} }));
  const script = [RUNTIME.nodeWindows, SCRIPT].map(toWindowsPath);
  const asked = [...script, 'ask', toWindowsPath(RUNTIME.koffiWindows), toWindowsPath(order)];
  // What the verb starts on the way would hold the pipes open, so even the error comes in a file.
  try {
    const { exitCode } = await machine.wine(asked, { ...options, quiet: true });
    if (exitCode === 0) return await takeResult(root, order);
    throw refused(`exit code ${exitCode}`);
  } catch (error) {
    throw withOutput(error, await soFar(root, order));
  }
}

async function takeResult(root: NodeRoot, order: string): Promise<CommandResult> {
  const take = async (suffix: string): Promise<string> => {
    const text = await readFile(root.path(`${order}${suffix}`), 'utf8');
    await rm(root.path(`${order}${suffix}`));
    return text;
  };
  await take('');
  // The same 8 bits as a program that is not elevated shows.
  return { exitCode: Number(await take('.code')) % 256, stdout: await take('.out'), stderr: await take('.err') };
}

function refused(how: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot start a program elevated on a Windows node: ${how}`, {
    hint: 'Run it without elevation to see whether the program itself works.',
  });
}

async function soFar(root: NodeRoot, order: string): Promise<string> {
  const files = ['.out', '.err'].map(async (suffix) =>
    readFile(root.path(`${order}${suffix}`), 'utf8').catch(() => ''),
  );
  return (await Promise.all(files)).join('\n').trim().slice(-2000);
}

function withOutput(error: unknown, said: string): unknown {
  if (!(error instanceof OperatorError) || said === '') return error;
  return new OperatorError(error.code, error.message, { hint: `Read what it said: ${said}`, cause: error });
}
