import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('unhandled-errors.ts', import.meta.url).href);

test.each([
  [
    'a rejection',
    "Promise.reject(new TypeError('it broke'))",
    /^Error: Internal error: TypeError: it broke\nHint: .+\n +at /,
  ],
  ['a thrown text', "setTimeout(() => { throw 'it broke' })", /^Error: Internal error: 'it broke'\nHint: .+\n\n$/],
  [
    'bad source',
    "import('data:text/javascript,let secretSource = ;')",
    /^Error: Internal error: SyntaxError: .+\nHint: /,
  ],
])('%s that no code handles is reported without source text', (_, source, text) => {
  const script = `(await import(${MODULE})).reportUnhandledErrors(); ${source}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toMatch(text);
  expect(stderr).not.toContain('secretSource');
  expect(status).toBe(70);
});

test('an error that another listener handles is left to it', () => {
  const script = `(await import(${MODULE})).reportUnhandledErrors();
    process.on('uncaughtException', () => process.exit(9)); setTimeout(() => { throw new Error('x') })`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 9, stderr: '' });
});
