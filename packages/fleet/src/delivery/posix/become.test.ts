import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localHosts } from '../testing/local-hosts.ts';
import { testNode } from '../testing/test-node.ts';
import { openDialogue, runScript } from './run-script.ts';
import { BEGIN_MARK } from './bootstrap.ts';

const { signal } = new AbortController();

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'become-'));
  // Asks as sudo does: three times at most, reading its input byte by byte, and keeping what it was given.
  program(
    'sudo',
    `[ "$1 $2 $3" = "-S -p fenestra%%asks" ] || exit 9
shift 3
for try in 1 2 3; do
  printf fenestra%%asks >&2
  read -r word || { echo 'sudo: no password was provided' >&2; exit 1; }
  echo "$word" >> "${folder}/tries"
  [ "$word" = right ] && exec "$@"
  echo 'Sorry, try again.' >&2
done
exit 1`,
  );
  mkdirSync(join(folder, 'trusting'));
  program('trusting/sudo', 'while [ "$1" != sh ]; do shift; done; exec "$@"');
  mkdirSync(join(folder, 'talkative'));
  program('talkative/sudo', `echo "+ sudo $*" >&2; echo A lecture. >&2; exec ${folder}/sudo "$@"`);
});
beforeEach(() => writeFileSync(join(folder, 'tries'), ''));
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

test('a password that no one asks for is not sent', async () => {
  expect(await run('right', join(folder, 'trusting'))).toMatchObject({ exitCode: 0, output: 'got secret job' });
  expect(tries()).toEqual([]);
});

test('a shell that repeats its command lines is not taken for one that asks', async () => {
  expect(await run('right', `${join(folder, 'talkative')}:${folder}`)).toMatchObject({ output: 'got secret job' });
  expect(tries()).toEqual(['right']);
});

test('a wrong password is tried exactly once, and said so with the words of the machine', async () => {
  await expect(run('wrong')).rejects.toMatchObject({
    code: 'BECOME_REFUSED',
    message: 'Cannot become administrator with sudo on "edge-1": Sorry, try again.; sudo: no password was provided',
  });
  expect(tries()).toEqual(['wrong']);
});

test('someone who neither asks nor lets in is given up, and gets nothing', async () => {
  const dialogue = openDialogue(10);
  dialogue.hearErrors('Verification code: ');
  const reported: unknown[] = [];
  for await (const piece of dialogue.input('right', input())) reported.push(piece);
  expect(reported).toEqual([]);
});

function tries(): readonly string[] {
  return readFileSync(join(folder, 'tries'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
