import type { BackupFile } from '@fenestra/steps';
import { planWorkflow, type Step } from '@fenestra/kernel';
import { constantFrom, property, assert, subarray } from 'fast-check';
import { expect, test } from 'vitest';
import { footprintOf } from '../node/node-files.ts';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import type { RestoreFacts } from './facts.ts';
import { placesOf, type RestoredFile } from './restored-files.ts';
import { RESTORE } from './workflow.ts';

const { config } = testNode;
if (config === undefined) throw new Error('the node under test has a configuration');

const ROLES = ['executable', 'configuration', 'database', 'ca', 'certificate', 'key', 'version'] as const;

function backupFile(role: BackupFile['role'], path: string = role): BackupFile {
  return { path, role, size: 1, sha256: 'new', mode: 0o600 };
}

const places = placesOf(
  ROLES.map((role) => backupFile(role)),
  testLayout,
  config,
);
const changed: readonly RestoredFile[] = places.map((place) => ({
  ...place,
  sha256: 'new',
  presentSha256: 'old',
  inPlace: false,
}));
const same = changed.map((file) => ({ ...file, presentSha256: 'new', inPlace: true }));

const joined: RestoreFacts = {
  wishes: { place: '/backups', limitSeconds: 120, settleSeconds: 5 },
  archive: { path: '/backups/archive', sha256: 'archive' },
  manifest: {
    schema: 1,
    nodeName: 'node',
    version: 'v0.1.0',
    agent: 'fenestra',
    os: 'linux',
    arch: 'x64',
    created: '2026-01-02T03:04:05.678Z',
    folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
    service: null,
    files: places.map(({ file }) => file),
  },
  moves: [],
  config,
  node: testNode,
  files: changed,
  footprint: footprintOf(testLayout, config),
  missingFolders: [],
  spec: joinedAgentService(testLayout).spec,
  registeredAsWanted: true,
  layout: testLayout,
  root: undefined,
  keadm: { path: '/keadm', sha256: 'keadm' },
};

const bare: RestoreFacts = {
  ...joined,
  node: { ...testNode, joined: false, service: { state: 'absent' }, spec: undefined, configText: undefined },
  files: changed.map((file) => ({ ...file, presentSha256: null })),
  missingFolders: ['/etc/kubeedge', '/etc/kubeedge/certs', '/opt/pods'],
  registeredAsWanted: false,
};

function steps(facts: RestoreFacts): readonly Step[] {
  return planWorkflow(RESTORE, facts).flatMap((phase) => phase.steps);
}

function kinds(facts: RestoreFacts): readonly string[] {
  return steps(facts).map(({ kind }) => kind);
}

test('a restore over a node verifies first, arms the guard before it stops anything, and gives nothing up before the proof', () => {
  expect(kinds(joined)).toEqual([
    'unpack-backup',
    'arm-guard',
    'stop-service',
    'place-executable',
    ...Array.from({ length: 6 }, () => 'place-file'),
    'start-service',
    'prove-healthy',
    'remove-path',
    'remove-path',
    'disarm-guard',
  ]);
});

test('a restore on a bare machine claims its folders, so that a failure leaves a bare machine', () => {
  expect(kinds(bare)).toEqual([
    'unpack-backup',
    'claim-node',
    'create-folder',
    'place-executable',
    ...Array.from({ length: 6 }, () => 'place-file'),
    'install-service',
    'start-service',
    'prove-healthy',
    'remove-path',
  ]);
  expect(steps(bare).filter(({ kind }) => kind === 'create-folder')).toEqual([
    { kind: 'create-folder', path: '/opt/pods' },
  ]);
});

test('a restore of the state that is there already plans nothing', () => {
  expect(kinds({ ...joined, files: same })).toEqual([]);
});

test('a restore of the state that is there already starts an agent that does not run', () => {
  const stopped = { ...testNode, service: { state: 'stopped' } as const };
  expect(kinds({ ...joined, files: same, node: stopped })).toEqual(['start-service', 'prove-healthy']);
});

test('only the database takes its companions with it', () => {
  const placed = steps(joined).filter(({ kind }) => kind === 'place-file');
  expect(placed.filter(({ to }) => to === '/var/lib/kubeedge/edgecore.db')).toMatchObject([
    { companions: ['-wal', '-shm', '-journal'] },
  ]);
  expect(placed.flatMap(({ companions }) => companions)).toHaveLength(3);
});

test('any facts: nothing is placed before the archive is verified and the agent stopped, nothing deleted before the proof', () => {
  assert(
    property(subarray([...changed]), constantFrom('running', 'stopped', 'failed'), (some, state) => {
      const files = changed.map((file, index) => (some.includes(file) ? file : (same[index] ?? file)));
      const order = kinds({ ...joined, files, node: { ...testNode, service: { state } } });
      const firstPlace = order.findIndex((kind) => kind.startsWith('place-'));
      const lastPlace = order.findLastIndex((kind) => kind.startsWith('place-'));
      if (firstPlace === -1) return;
      expect(order.indexOf('unpack-backup')).toBe(0);
      expect(order.indexOf('arm-guard')).toBeLessThan(firstPlace);
      expect(order.indexOf('stop-service')).toBeLessThan(firstPlace);
      expect(order.indexOf('start-service')).toBeGreaterThan(lastPlace);
      expect(order.indexOf('remove-path')).toBeGreaterThan(order.indexOf('prove-healthy'));
    }),
  );
});

test('a static pod goes where the configuration has them, under its own name', () => {
  const pod = backupFile('static-pod', 'static-pods/web.yaml');
  expect(placesOf([pod], testLayout, config)).toEqual([{ file: pod, to: '/etc/kubeedge/manifests/web.yaml' }]);
});

test('a configuration that sends two files to one place, or a file nowhere, is refused', () => {
  const { edgeHub } = config.modules;
  const withHub = (change: Partial<typeof edgeHub>) => ({
    ...config,
    modules: { ...config.modules, edgeHub: { ...edgeHub, ...change } },
  });
  const files = ROLES.map((role) => backupFile(role));
  const refused = expect.objectContaining({ code: 'BACKUP_INVALID' });
  expect(() => placesOf(files, testLayout, withHub({ tlsCaFile: testLayout.agentExecutable }))).toThrow(refused);
  expect(() => placesOf(files, testLayout, withHub({ tlsCaFile: 'relative/ca.crt' }))).toThrow(refused);
});
