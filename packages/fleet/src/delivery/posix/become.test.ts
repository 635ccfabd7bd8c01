import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localHosts } from '../testing/local-hosts.ts';
import { testNode } from '../testing/test-node.ts';
import { BEGIN_MARK } from './bootstrap.ts';
import { runScript } from './run-script.ts';

const { signal } = new AbortController();

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'become-'));
  // Takes passwords as sudo does: three lines of its input, read byte by byte; none at all from whom it knows.
  program(
    'sudo',
    'while [ "$1" != sh ]; do shift; done; for try in 1 2 3; do read -r word; [ "$word" = right ] && exec "$@"; echo Sorry, try again. >&2; done; exit 1',
  );
  mkdirSync(join(folder, 'trusting'));
  program('trusting/sudo', 'while [ "$1" != sh ]; do shift; done; exec "$@"');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

async function run(password: string, path = folder) {
  const hosts = localHosts({ shell: ['sh', '-c'], env: { PATH: `${path}:/usr/bin:/bin` } });
  const become = { method: 'sudo', password: async () => password } as const;
  const node = testNode(hosts.target, ['version'], { become });
  const script = `echo ${BEGIN_MARK}; read -r line; echo "got $line"`;
  const end = await runScript(
    await hosts.connect(hosts.target, signal),
    node,
    { script, activity: 'trying', input: input() },
    signal,
  );
  expect(hosts.lines.join('')).not.toContain(password);
  return end;
}

async function* input(): AsyncGenerator<string> {
  yield 'secret job\n';
}

test('the password goes by the input, and what follows is for the script', async () => {
  expect(await run('right')).toMatchObject({ exitCode: 0, output: 'got secret job' });
});

test('a password that nobody asked for is passed over', async () => {
  expect(await run('right', join(folder, 'trusting'))).toMatchObject({ exitCode: 0, output: 'got secret job' });
});

test('a wrong password is said so, with the words of the machine', async () => {
  await expect(run('wrong')).rejects.toMatchObject({
    code: 'BECOME_REFUSED',
    message: expect.stringContaining('Sorry, try again.'),
  });
});
