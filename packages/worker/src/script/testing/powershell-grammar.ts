import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const PROGRAM = join(import.meta.dirname, 'powershell-grammar-main.ts');

/**
 * For each text the lines in which it is not PowerShell, by its grammar. In its own process: the grammar is too
 * large for the optimizing WebAssembly compiler of this Node, which has to be switched off for it.
 */
export async function powershellMistakes(...scripts: readonly string[]): Promise<readonly (readonly number[])[]> {
  const check = spawn(process.execPath, ['--liftoff-only', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  check.stdin.end(JSON.stringify(scripts));
  const [answer, [code]] = await Promise.all([text(check.stdout), once(check, 'close')]);
  if (code !== 0) throw new Error(`the check of the grammar ended with ${String(code)}`);
  return z.array(z.array(z.number())).parse(JSON.parse(answer));
}
