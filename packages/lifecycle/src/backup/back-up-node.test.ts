import { planWorkflow, type Step } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import { nodeFiles } from '../node/node-files.ts';
import type { BackupFacts } from './facts.ts';
import { BACK_UP } from './back-up-node.ts';

const facts: BackupFacts = {
  wishes: { folder: '/backups', encrypted: false },
  folderMissing: false,
  subject: {
    schema: 1,
    nodeName: 'node',
    version: 'v0.1.0',
    agent: 'fenestra',
    os: 'linux',
    arch: 'x64',
    created: '2026-01-02T03:04:05.678Z',
    folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
    service: null,
  },
  sources: [{ role: 'executable', path: 'edgecore', from: '/usr/local/bin/edgecore' }],
  missing: [],
  layout: testLayout,
};

function steps(change: Partial<BackupFacts>): readonly Step[] {
  return planWorkflow(BACK_UP, { ...facts, ...change }).flatMap((phase) => phase.steps);
}

test('a backup writes one archive, named by node, version and time', () => {
  expect(steps({})).toEqual([
    expect.objectContaining({
      kind: 'write-backup',
      to: '/backups/fenestra-backup-node-v0.1.0-20260102T030405Z.tar.gz',
      scratch: '/var/lib/fenestra/backup',
    }),
  ]);
});

test('a folder that is not there is made', () => {
  expect(steps({ folderMissing: true }).map(({ kind }) => kind)).toEqual(['create-folder', 'write-backup']);
});

test('a backup never has a step that stops, starts or deletes anything', () => {
  const kinds = steps({ folderMissing: true, wishes: { folder: '/b', encrypted: true } }).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind !== 'create-folder' && kind !== 'write-backup')).toEqual([]);
});

test('certificates and database are looked for where the configuration has them', () => {
  const { config } = testNode;
  if (config === undefined) throw new Error('the node under test has a configuration');
  const { edgeHub } = config.modules;
  const one = {
    ...config,
    modules: { ...config.modules, edgeHub: { ...edgeHub, tlsCertFile: edgeHub.tlsPrivateKeyFile } },
  };
  expect([...nodeFiles(testLayout, config).keys()]).toContain('key');
  expect(nodeFiles(testLayout, config).get('database')).toBe('/var/lib/kubeedge/edgecore.db');
  expect([...nodeFiles(testLayout, one).keys()]).not.toContain('key');
});
