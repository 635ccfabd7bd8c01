import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('terminal.ts', import.meta.url).href);

/** Runs a script that has a terminal; what it writes is read only some time after it has begun. */
async function runScript(script: string, delayMs: number): Promise<{ readonly out: string; readonly err: string }> {
  const source = `const { standardTerminal } = await import(${MODULE}); const terminal = standardTerminal();
    require('node:fs').writeSync(2, 'ready\\n'); ${script}`;
  const args = [
    '--input-type=module',
    '-e',
    `import { createRequire } from 'node:module';
    const require = createRequire('/'); ${source}`,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [ready] = await once(child.stderr, 'data');
  const err = text(child.stderr);
  await sleep(delayMs);
  const out = await text(child.stdout);
  await closed;
  return { out, err: `${ready}${await err}`.replace(/^ready\n/, '') };
}

test('escape sequences, carriage returns and text direction never reach a terminal, by neither stream', async () => {
  const hostile = JSON.stringify('a\u001b]0;t\u0007\u009b2J\rb\u202ec\n');
  const { out, err } = await runScript(`terminal.out(${hostile}); terminal.err(${hostile})`, 0);
  expect(out).toBe('a\\u001b]0;t\\u0007\\u009b2J\\u000db\\u202ec\n');
  expect(err).toBe(out);
});

test('a reader that does not read costs no processor time, and gets everything in the end', async () => {
  // Opening the stream makes the pipe answer EAGAIN when it is full.
  const { out, err } = await runScript(
    `process.stdout; const before = process.cpuUsage(); const start = performance.now();
    terminal.out('x'.repeat(4_000_000)); const { user, system } = process.cpuUsage(before);
    terminal.err(String((user + system) / 1000 / (performance.now() - start)));`,
    1_000,
  );
  const share = Number(err);
  expect(out).toHaveLength(4_000_000);
  expect(share).toBeLessThan(0.2);
});
