import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform } from '#platform';
import { runKeadm } from '@fenestra/keadm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentInMemory } from '@fenestra/keadm/testing/keadm-in-memory';

const NOBODY = 65534;
/** Only root has something to lose, and only root can make files that belong to others. */
const needsRoot = test.skipIf(process.geteuid?.() !== 0);

const folder = mkdtempSync(join(tmpdir(), 'unsafe-'));
const at = (...names: readonly string[]): string => join(folder, ...names);
const TOKEN = `${'a'.repeat(64)}.e30.e30.c2ln`;

beforeAll(() => {
  for (const name of ['own', 'theirs', 'open', 'empty']) mkdirSync(at(name));
  symlinkSync(at('empty'), at('link'));
  for (const name of ['script', 'edgecore.yaml', 'archive.fenestra', 'secret'])
    writeFileSync(at('own', name), '#!/bin/sh\n');
  chmodSync(at('open'), 0o777);
  const { publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(at('own', 'key.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  if (process.geteuid?.() !== 0) return;
  chownSync(at('theirs'), NOBODY, NOBODY);
  lchownSync(at('link'), NOBODY, NOBODY);
  makeKubeconfig();
  for (const name of readdirSync(at('own'))) chownSync(at('own', name), NOBODY, NOBODY);
});

/** One that someone else owns, which runs a program; another one where a cloud of this machine has its own. */
function makeKubeconfig(): void {
  writeFileSync(at('program'), `#!/bin/sh\ntouch ${at('ran')}\n`, { mode: 0o755 });
  const user = {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: at('program'), interactiveMode: 'Never' },
  };
  const kubeconfig = {
    clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  };
  writeFileSync(at('own', 'kubeconfig'), JSON.stringify(kubeconfig));
  const cloudFolder = at('own', 'cloud', 'var', 'lib', 'kubeedge', 'cloud');
  mkdirSync(cloudFolder, { recursive: true });
  writeFileSync(join(cloudFolder, 'admin.kubeconfig'), JSON.stringify(kubeconfig));
  const supervised = at('own', 'cloud', 'var', 'lib', 'fenestra', 'supervisor', 'services', 'cloudcore');
  mkdirSync(supervised, { recursive: true });
}

afterAll(() => rmSync(folder, { recursive: true }));

async function keadm(...args: readonly string[]): Promise<{ readonly exitCode: number; readonly err: string }> {
  let err = '';
  const terminal = { out: () => {}, err: (text: string) => void (err += text) };
  const environment = {
    ...environmentInMemory(terminal),
    executable: '/bin/true',
    loadPlatform: openPlatform,
    loadCloud: async () => import('./cloud-tools.ts'),
  };
  return { exitCode: await runKeadm(args, environment), err };
}

const CHANGES: readonly (readonly string[])[] = [
  ['join', '--cloudcore-ip', '127.0.0.1', '--token', TOKEN],
  ['init', '--embedded'],
  ['reset', '--force'],
  ['upgrade', '--version', '1.2.3'],
  ['rollback'],
  ['recover'],
  ['backup', '--dir', at('own')],
  ['restore', '--dir', at('own')],
  ['config-update', '--set', 'modules.edgeHub.heartbeat=20'],
  ['journal', 'set-aside', 'x'],
  ...['install', 'remove', 'start', 'stop', 'restart', 'reload'].map((action) => ['service', action]),
  ['kube', 'reset', '--force'],
  ['kube', 'prepare', '--version', 'v1.33.1', '--from', at('own')],
];

needsRoot.each(CHANGES)(
  '%s refuses a root that someone else can change, before it writes anything',
  async (...args) => {
    for (const root of [at('theirs', 'node'), at('open', 'node'), at('link', 'node'), at('theirs')]) {
      expect(await keadm(...args, '--root', root)).toMatchObject({ exitCode: 25 });
    }
    expect([at('theirs'), at('open'), at('empty')].flatMap((path) => readdirSync(path))).toEqual([]);
  },
);

needsRoot.each([
  ['--pre-run', at('own', 'script')],
  ['--post-run', at('own', 'script')],
  ['--config', at('own', 'edgecore.yaml')],
  ['--from', at('own', 'script')],
  ['--from', at('own')],
  ['--trust-key', at('own', 'key.pem')],
])('join refuses "%s %s", which someone else can change', async (flag, path) => {
  const more = flag === '--trust-key' ? ['--from', '/bin/true'] : [];
  const answer = await keadm(
    'join',
    '--root',
    at('own', 'node'),
    '--cloudcore-ip',
    '127.0.0.1',
    '--token',
    TOKEN,
    flag,
    path,
    ...more,
  );
  expect(answer).toMatchObject({ exitCode: 25, err: expect.stringContaining(`belongs to user ${NOBODY}`) });
});

needsRoot.each([
  ['join', '--cloudcore-ip', '127.0.0.1', '--token', TOKEN, '--config', at('open', 'missing')],
  [
    'join',
    '--cloudcore-ip',
    '127.0.0.1',
    '--token',
    TOKEN,
    '--from',
    '/bin/true',
    '--trust-key',
    at('open', 'missing'),
  ],
  ['config', 'apply', at('open', 'missing')],
])('%s checks who can change a file before it reads it', async (...args) => {
  const answer = await keadm(...args, '--root', at('own', 'node'));
  expect(answer).toMatchObject({ exitCode: 25, err: expect.stringContaining('others can create') });
});

// A kubeconfig can name a program that gets the credentials.
needsRoot.each([
  ['init', '--kubeconfig', at('own', 'kubeconfig'), '--root', at('own', 'node')],
  ['init', '--dry-run', '--kubeconfig', at('own', 'kubeconfig'), '--root', at('own', 'node')],
  ['gettoken', '--kubeconfig', at('own', 'kubeconfig')],
  ['gettoken', '--root', at('own', 'cloud')],
  ['node', 'list', '--root', at('own', 'cloud')],
  ['node', 'revoke', 'edge-1', '--kubeconfig', at('own', 'kubeconfig')],
  ['node', 'admit', 'edge-1', '--kubeconfig', at('own', 'kubeconfig')],
  ['reset', '--force', '--kubeconfig', at('own', 'kubeconfig'), '--root', at('own', 'node')],
  ['kube', 'reset', '--force', '--kubeconfig', at('own', 'kubeconfig'), '--root', at('own', 'node')],
  [
    'kube',
    'upgrade',
    '--version',
    'v1.33.1',
    '--from',
    'https://127.0.0.1:1',
    '--kubeconfig',
    at('own', 'kubeconfig'),
    '--root',
    at('own', 'node'),
  ],
  ['kube', 'manifests', '--kubeconfig', at('own', 'kubeconfig')],
])('%s runs no program that a kubeconfig of someone else names', async (...args) => {
  expect(await keadm(...args)).toMatchObject({ exitCode: 25 });
  expect(existsSync(at('ran'))).toBe(false);
});

needsRoot('status asks no cloud by a kubeconfig that someone else can change', async () => {
  for (const flags of [
    ['--root', at('own', 'cloud')],
    ['--root', at('own', 'node'), '--kubeconfig', at('own', 'kubeconfig')],
  ]) {
    await keadm('status', ...flags);
  }
  expect(existsSync(at('ran'))).toBe(false);
});

needsRoot('a node is refused whose folders are safe, but not what is in them', async () => {
  for (const inside of ['etc/kubeedge/certs', 'var/lib/kubeedge/cloud', 'var/lib/fenestra/guard']) {
    const root = at('own', inside.replaceAll('/', '-'));
    mkdirSync(join(root, inside), { recursive: true });
    chownSync(join(root, inside), NOBODY, NOBODY);
    expect(await keadm('recover', '--root', root)).toMatchObject({ exitCode: 25 });
  }
});

needsRoot.each([
  ['join', '--cloudcore-ip', '127.0.0.1', '--token-file', at('own', 'secret'), '--root', at('own', 'node')],
  ['kube', 'join', '127.0.0.1:6443', '--token-file', at('own', 'secret'), '--root', at('own', 'node')],
  ['backup', '--dir', at('empty'), '--passphrase-file', at('own', 'secret'), '--root', at('own', 'node')],
  ['restore', '--dir', at('empty'), '--passphrase-file', at('own', 'secret'), '--root', at('own', 'node')],
  ['upgrade', '--config', at('own', 'edgecore.yaml'), '--root', at('own', 'node')],
  ['rollback', '--post-run', at('own', 'script'), '--root', at('own', 'node')],
  ['batch', 'plan', '--config', at('own', 'secret')],
  ['batch', '--config', at('own', 'secret')],
  ['batch', 'validate', '--config', at('own', 'secret')],
  ['image', 'provision', '--config', at('own', 'secret')],
  ['image', 'verify', '--config', at('own', 'secret')],
])('%s %s refuses a file that an option names and someone else can change', async (...args) => {
  const answer = await keadm(...args);
  expect(answer).toMatchObject({ exitCode: 25, err: expect.stringContaining(`belongs to user ${NOBODY}`) });
});

needsRoot('restore refuses an archive that someone else can change, and backup a folder', async () => {
  const restored = ['restore', '--root', at('own', 'node'), '--dir', at('own', 'archive.fenestra')];
  expect(await keadm(...restored)).toMatchObject({ exitCode: 25 });
  expect(await keadm('backup', '--root', at('own', 'node'), '--dir', at('open'))).toMatchObject({ exitCode: 25 });
});

test('a root that no one else can change is not a reason to refuse', async () => {
  expect(await keadm('recover', '--root', at('own', 'node'))).toMatchObject({ exitCode: 0 });
});
