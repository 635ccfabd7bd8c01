import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform } from '#platform';
import { runKeadm, type KeadmEnvironment } from '@fenestra/keadm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerProblem } from '@fenestra/keadm/testing/answer-problem';
import { commandLines, type CommandLineSandbox } from '@fenestra/keadm/testing/command-lines';
import { environmentInMemory, type KeadmAnswer } from '@fenestra/keadm/testing/keadm-in-memory';

const LINES = 5_000;
/** A line that is still at work when its test has ended would write to the folder that the next one is in. */
const WHOLE_LIMIT_MS = 600_000;
/** Never reached by a line that answers by itself, however busy the machine is. */
const PATIENCE_MS = 20_000;
/** A line that waits for a peer is interrupted. */
const LIMIT_MS = 300;
/** The same lines each time: a test must not fail by chance. */
const SEED = 18;

const folder = mkdtempSync(join(tmpdir(), 'command-lines-'));
const start = process.cwd();

const FILES: Readonly<Record<string, string>> = {
  'empty.yaml': '',
  'broken.yaml': 'a: [b\n',
  'list.yaml': '- 1\n',
  'odd.yaml': 'apiVersion: v1\nkind: Config\nmodules: {edgeHub: {websocket: {server: "1:99999"}}}\nnodes: [{}]\n',
  'text.txt': 'text\u001b[31m\u0000',
  'key.pem': '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
};

const sandbox: CommandLineSandbox = {
  folder,
  paths: [join(folder, 'folder'), ...Object.keys(FILES).map((name) => join(folder, name))],
};

beforeAll(() => {
  mkdirSync(join(folder, 'folder'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  // Relative paths lead into the sandbox, too.
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(start);
  rmSync(folder, { recursive: true });
});

async function run(args: readonly string[], limitMs: number): Promise<KeadmAnswer> {
  const written = { out: '', err: '' };
  const signal = AbortSignal.timeout(limitMs);
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
  return { exitCode: await runKeadm(args, { ...environment, terminal, signal }), ...written };
}

const environment: KeadmEnvironment = {
  ...environmentInMemory({ out: () => {}, err: () => {} }),
  executable: '/bin/true',
  variables: { HOME: folder, XDG_STATE_HOME: folder },
  loadCloud: async () => import('./cloud-tools.ts'),
  // Whatever the command line says, nothing but the sandbox is looked at or changed.
  loadPlatform: async () => openPlatform(folder),
};

test(
  'no command line causes a stack trace, broken JSON or an exit code outside the catalogue',
  async () => {
    const lines = await commandLines(environment, sandbox);
    const problems: string[] = [];
    for (const args of fc.sample(lines, { numRuns: LINES, seed: SEED })) {
      problems.push(...[answerProblem(args, await run(args, LIMIT_MS))].filter((problem) => problem !== undefined));
    }
    expect(problems).toEqual([]);
  },
  WHOLE_LIMIT_MS,
);

const TOKEN = `${'a'.repeat(64)}.${[{ alg: 'HS256', typ: 'JWT' }, { exp: 4_000_000_000 }].map(base64url).join('.')}.c2ln`;

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test.each([
  ['--from', '/proc/none/x', 23],
  ['--from', '', 80],
  ['--from', 'folder', 80],
  ['--from', 'text.txt', 80],
  ['--from', 'http://[', 2],
  ['--from', 'http://127.0.0.1:1/x.tgz', 80],
  ['--cloudcore-ip', '256.1.1.1', 2],
  ['--set', 'modules.edgeHub.httpServer=https://256.1.1.1:10002', 60],
  ['--set', 'modules.edgeHub.websocket.server=127.0.0.1:99999', 60],
  ['--wait', '99999999999', 2],
])('join %s "%s" is refused while the other checks run', async (flag, value, exitCode) => {
  const cloud = ['--cloudcore-ip', '127.0.0.1', '--certport', '1', '--hub-port', '1'];
  const args = ['join', '--root', folder, ...cloud, '--token', TOKEN, '--dry-run', flag, value];
  expect(await run(args, PATIENCE_MS)).toMatchObject({ exitCode, out: '' });
  const answer = await run([...args, '-o', 'json'], PATIENCE_MS);
  expect(JSON.parse(answer.out)).toHaveProperty('error.code');
});
