import { edgecoreDefaults } from '@fenestra/contracts';
import { planWorkflow } from '@fenestra/kernel';
import { judgeFolders, type FolderListing } from '@fenestra/steps';
import { describe, expect, test } from 'vitest';
import { testLayout as layout } from '../testing/test-layout.ts';
import type { ResetFacts } from './facts.ts';
import { keptIn } from './kept.ts';
import { nodeFolders, type FolderWishes } from './node-folders.ts';
import { composeReport } from './reset-node.ts';
import { RESET } from './workflow.ts';

const wishes: FolderWishes = {
  layout,
  root: '/',
  config: edgecoreDefaults('linux'),
  keepBackups: false,
  kubeletFolder: undefined,
  executable: '/root/keadm',
};

/** A machine by the files on it. */
function listings(files: readonly string[], mountPoints: readonly string[] = []): readonly FolderListing[] {
  const folders = new Set(files.flatMap((file) => parentsOf(file)));
  return [...folders].map((path) => ({
    path,
    entries: [...new Set(files.filter((file) => file.startsWith(`${path}/`)).map((file) => childOf(path, file)))],
    link: false,
    mountPoints: mountPoints.filter((point) => point === path || point.startsWith(`${path}/`)),
  }));
}

const parentsOf = (file: string): readonly string[] =>
  file.split('/').flatMap((_part, index, parts) => (index < 2 ? [] : [parts.slice(0, index).join('/')]));
const childOf = (folder: string, file: string): string => file.slice(folder.length + 1).split('/')[0] ?? '';

const FULL = [
  '/etc/kubeedge/config/edgecore.yaml',
  '/etc/kubeedge/ca/rootCA.crt',
  '/etc/kubeedge/certs/server.crt',
  '/etc/kubeedge/certs/server.key',
  '/etc/kubeedge/version.txt',
  '/etc/kubeedge/backups/v0.1.0/edgecore',
  '/var/lib/kubeedge/edgecore.db',
  '/var/lib/kubeedge/edgecore.db-wal',
  '/var/lib/kubeedge/agent-status.json',
  '/var/lib/kubeedge/log/edgecore.log',
  '/usr/local/bin/edgecore',
  '/usr/local/bin/kubectl',
];

function factsOf(
  files: readonly string[],
  more: Partial<ResetFacts> = {},
  chosen: Partial<FolderWishes> = {},
): ResetFacts {
  const folders = judgeFolders(nodeFolders({ ...wishes, ...chosen }), listings(files));
  return {
    wishes: {
      force: false,
      kubeconfig: undefined,
      drain: true,
      drainLimitSeconds: 300,
      podGraceSeconds: 300,
      keepBackups: false,
      runtimeEndpoint: undefined,
    },
    layout,
    joined: true,
    nameKnown: true,
    nodeName: 'edge-1',
    identity: undefined,
    service: { state: 'running', pid: 1 },
    cloud: { state: 'not-asked' },
    runtime: { endpoint: 'unix:///run/containerd/containerd.sock' },
    guardLeft: false,
    volumes: [],
    folders,
    kept: keptIn(folders, layout),
    ...more,
  };
}

const registered = {
  state: 'registered',
  server: 's',
  kubeconfig: '/k',
  uid: 'u',
  schedulable: true,
  ready: true,
} as const;
const clean: Partial<ResetFacts> = { joined: false, service: { state: 'absent' }, runtime: {} };

const stepsOf = (facts: ResetFacts) => planWorkflow(RESET, facts).flatMap(({ steps }) => steps);
const kinds = (facts: ResetFacts): readonly string[] => [...new Set(stepsOf(facts).map(({ kind }) => kind))];

describe('planning a reset', () => {
  test('the node is drained and stopped before anything is removed', () => {
    const volumes = ['/var/lib/kubelet/pods/1/volumes/v'];
    expect(kinds(factsOf(FULL, { cloud: registered, guardLeft: true, volumes }))).toEqual([
      'drain-node',
      'stop-service',
      'remove-service',
      'remove-pods',
      'unmount',
      'delete-node',
      'disarm-guard',
      'clear-folder',
    ]);
  });

  test('whatever comes after the first step without a way back has none either', () => {
    for (const cloud of [registered, { state: 'not-asked' }] as const) {
      for (const runtime of [{}, { endpoint: 'unix:///x' }]) {
        const steps = stepsOf(factsOf(FULL, { cloud, runtime, guardLeft: true }));
        const after = steps.slice(steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn));
        expect(after.filter((step) => step.pointOfNoReturn !== true).map(({ kind }) => kind)).toEqual([]);
        expect(steps.some(({ kind }) => kind === 'stop-service')).toBe(true);
        expect(after.some(({ kind }) => kind === 'stop-service')).toBe(false);
      }
    }
  });

  test('after a power cut no agent can start that would make again what is already gone', () => {
    const steps = stepsOf(factsOf(FULL, { cloud: registered, guardLeft: true }));
    const first = steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn);
    expect(steps[first]).toMatchObject({ kind: 'remove-service', name: 'edgecore' });
  });

  test('on a machine without a node there is nothing to do, a second time neither', () => {
    expect(stepsOf(factsOf([], clean))).toEqual([]);
    expect(stepsOf(factsOf(['/usr/local/bin/kubectl'], clean))).toEqual([]);
  });

  test('an unknown client in a folder does not make the second reset busy', () => {
    const left = [
      '/etc/kubeedge/config/cloudcore.yaml',
      '/var/lib/kubeedge/cloud/kubelite.db',
      '/usr/local/bin/cloudcore',
    ];
    expect(stepsOf(factsOf(left, clean))).toEqual([]);
  });

  test('half a node is removed as well', () => {
    expect(kinds(factsOf(['/etc/kubeedge/version.txt'], clean))).toEqual(['clear-folder']);
    expect(kinds(factsOf([], { ...clean, service: { state: 'stopped' } }))).toEqual(['remove-service']);
  });

  test('a cloud that was not reached is left out, and a drain that was not wanted', () => {
    expect(kinds(factsOf(FULL, { cloud: { state: 'unknown', reason: 'gone' } }))).not.toContain('drain-node');
    const facts = factsOf(FULL, { cloud: registered });
    expect(kinds({ ...facts, wishes: { ...facts.wishes, drain: false } })).not.toContain('drain-node');
  });
});

const removedBy = (files: readonly string[], chosen: Partial<FolderWishes> = {}): readonly string[] =>
  composeReport(factsOf(files, {}, chosen), { cloud: { state: 'absent', server: 's' }, folders: [], kept: [] }).removed;

describe("telling what is the node's", () => {
  test('everything join made goes, and the folders with it', () => {
    expect(removedBy(FULL)).toEqual(['/etc/kubeedge', '/usr/local/bin/edgecore', '/var/lib/kubeedge']);
  });

  test('a folder of programs keeps every other program', () => {
    const bin = factsOf(FULL).folders.find(({ path }) => path === '/usr/local/bin');
    expect(bin).toMatchObject({ goes: ['/usr/local/bin/edgecore'], strangers: [], vanishes: false });
  });

  test('a cloud on the same machine keeps its own', () => {
    const cloud = ['/etc/kubeedge/config/cloudcore.yaml', '/var/lib/kubeedge/cloud/admin.kubeconfig'];
    const facts = factsOf([...FULL, ...cloud]);
    expect(facts.kept).toEqual([
      { path: '/etc/kubeedge/config/cloudcore.yaml', why: 'it belongs to the cloud on this machine' },
      { path: '/var/lib/kubeedge/cloud', why: 'it belongs to the cloud on this machine' },
    ]);
    const vanishing = facts.folders.filter(({ vanishes }) => vanishes).map(({ path }) => path);
    expect(vanishing.toSorted()).toEqual(['/etc/kubeedge/ca', '/etc/kubeedge/certs', '/var/lib/kubeedge/log']);
  });

  test('backups stay if that was asked for', () => {
    const facts = factsOf(FULL, {}, { keepBackups: true });
    expect(facts.kept).toEqual([{ path: '/etc/kubeedge/backups', why: 'backups are kept, as requested' }]);
    expect(stepsOf(factsOf(['/etc/kubeedge/backups/v1/edgecore'], clean, { keepBackups: true }))).toEqual([]);
  });

  test("upstream's leftovers go: its folders, its logs and its downloads", () => {
    const upstream = [
      '/etc/kubeedge/kubeedge-v1.23.0-linux-amd64.tar.gz',
      '/etc/kubeedge/backup/v1/edgecore',
      '/var/lib/edged/pods/x',
      '/var/log/kubeedge/edgecore.log',
    ];
    expect(removedBy(upstream)).toEqual(['/etc/kubeedge', '/var/lib/edged', '/var/log/kubeedge']);
  });

  test('what a run that was cut off left beside a file goes, too', () => {
    const left = ['/usr/local/bin/previous-0123456789ab-edgecore', '/etc/kubeedge/.version.txt.0123456789abcdef.tmp'];
    expect(removedBy(left)).toEqual(['/etc/kubeedge', '/usr/local/bin/previous-0123456789ab-edgecore']);
  });

  test('nothing outside the root of the node is touched, whatever its configuration names', () => {
    const paths = nodeFolders({ ...wishes, root: '/srv/node' }).map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith('/srv/node'))).toEqual([]);
  });

  test('what is configured elsewhere goes, and leaves the folder to the operator', () => {
    const config = edgecoreDefaults('linux');
    const database = { ...config.database, dataSource: '/data/node.db' };
    const files = ['/data/node.db', '/data/node.db-wal', '/data/photos'];
    const facts = factsOf(files, {}, { config: { ...config, database } });
    expect(facts.folders).toMatchObject([{ path: '/data', vanishes: false, strangers: [] }]);
    expect(facts.folders[0]?.goes).toEqual(['/data/node.db', '/data/node.db-wal']);
  });

  test('what something is mounted in stays, and so does a folder that is a mount point', () => {
    const folders = nodeFolders(wishes);
    const mounts = ['/etc/kubeedge/backups/disk', '/var/lib/kubeedge'];
    const judged = judgeFolders(folders, listings(FULL, mounts));
    expect(keptIn(judged, layout).map(({ path }) => path)).toEqual(['/etc/kubeedge/backups']);
    const state = judged.find(({ path }) => path === '/var/lib/kubeedge');
    expect(state).toMatchObject({ vanishes: false, strangers: [] });
  });

  test('the program that runs the reset is not deleted by it', () => {
    expect(removedBy(FULL, { executable: '/usr/local/bin/edgecore' })).not.toContain('/usr/local/bin/edgecore');
  });
});

describe('reporting a reset', () => {
  test('what is still there was not removed', () => {
    const before = factsOf(FULL);
    const report = composeReport(before, {
      ...factsOf(['/var/lib/kubeedge/edgecore.db'], clean),
      cloud: { state: 'not-asked' },
    });
    expect(report.removed).not.toContain('/var/lib/kubeedge/edgecore.db');
    expect(report.removed).toContain('/etc/kubeedge');
  });

  test('a cloud that was not asked may still list the node, one that was knows', () => {
    const left = { folders: [], kept: [] };
    const before = factsOf(FULL, { cloud: registered });
    expect(composeReport(factsOf(FULL), { ...left, cloud: { state: 'not-asked' } })).toMatchObject({
      inCloud: 'unknown',
      notes: [expect.stringContaining('kubectl delete node edge-1')],
    });
    expect(composeReport(before, { ...left, cloud: { state: 'absent', server: 's' } })).toMatchObject({
      inCloud: false,
      notes: [],
    });
    expect(composeReport(before, { ...left, cloud: registered })).toMatchObject({ inCloud: true });
  });

  test('pods that could not be asked for are mentioned', () => {
    const before = factsOf(FULL, { runtime: { problem: 'the container runtime does not answer' } });
    const { notes } = composeReport(before, { folders: [], kept: [], cloud: { state: 'absent', server: 's' } });
    expect(notes).toEqual(['No pods were removed: the container runtime does not answer']);
  });

  test('what a step left undone is mentioned at the end', () => {
    const left = { folders: [], kept: [], cloud: { state: 'absent', server: 's' } } as const;
    expect(composeReport(factsOf(FULL), left, ['Left every pod alone']).notes).toEqual(['Left every pod alone']);
  });
});
