import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { parseBackupManifest, type BackupManifest, isPodFileName, memberPath, podFileName } from './manifest.ts';

const file = (role: BackupManifest['files'][number]['role'], path = memberPath(role, 'pod.yaml')) => ({
  path,
  role,
  size: 1,
  sha256: 'a'.repeat(64),
  mode: 0o600,
});

const manifest: BackupManifest = {
  schema: 1,
  nodeName: 'edge-1',
  version: 'v0.1.0',
  agent: 'fenestra',
  os: 'linux',
  arch: 'x64',
  created: '2026-01-02T03:04:05.678Z',
  folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
  service: null,
  files: [file('executable'), file('configuration'), file('static-pod')],
};

function refuses(changed: object): void {
  const read = (): BackupManifest => parseBackupManifest(JSON.stringify({ ...manifest, ...changed }));
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(expect.objectContaining({ code: 'BACKUP_INVALID' }));
}

test('a manifest comes back as it was written', () => {
  expect(parseBackupManifest(JSON.stringify(manifest))).toEqual(manifest);
});

test.each([
  ['another schema', { schema: 2 }],
  ['an unknown key', { token: 'secret' }],
  ['no agent', { files: [file('configuration')] }],
  ['two keys', { files: [...manifest.files, file('key'), file('key', 'other')] }],
  ['two files of one name', { files: [...manifest.files, file('key', 'EDGECORE')] }],
  ['a second manifest', { files: [...manifest.files, file('key', 'manifest.json')] }],
  ['a negative size', { files: [...manifest.files, { ...file('key'), size: -1 }] }],
  ['a set-user-id bit', { files: [...manifest.files, { ...file('key'), mode: 0o4755 }] }],
])('a manifest with %s is refused', (_what, changed) => refuses(changed));

test.each(['../x', '..', '.hidden', 'a/b', 'a\\b', 'C:x', 'x\u0000', 'x.', '', 'a'.repeat(256)])(
  'a static pod called %j is refused',
  (name) => {
    expect(isPodFileName(name)).toBe(false);
    refuses({ files: [...manifest.files, file('static-pod', `static-pods/${name}`)] });
  },
);

test('a static pod keeps the name its operator gave it', () => {
  expect(podFileName(memberPath('static-pod', 'Überwachung 2.yaml'))).toBe('Überwachung 2.yaml');
  expect(isPodFileName('Überwachung 2.yaml')).toBe(true);
});
