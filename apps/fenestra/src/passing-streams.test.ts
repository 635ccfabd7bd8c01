import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('passing-streams.ts', import.meta.url).href);

test('a write to a closed output is reported', async () => {
  const script = `const { passingStreams } = await import(${MODULE}); const { out, err } = passingStreams();
    try { for (;;) await out(Buffer.from('line\\n')); } catch ({ code }) { await err(Buffer.from(code)); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect([await errors, ...(await closed)]).toEqual([expect.stringMatching(/^(EPIPE|EOF)$/), 0, null]);
});

test('a reader that is slow gets everything', async () => {
  const script = `const { passingStreams } = await import(${MODULE}); const { out } = passingStreams();
    for (let i = 0; i < 100; i += 1) await out(Buffer.alloc(32 * 1024, 'x'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toHaveLength(100 * 32 * 1024);
});
