import { basename, dirname } from 'node:path';
import { handlerOf, planWorkflow, type Step } from '@fenestra/kernel';
import { type FolderListing, judgeFolders, STEP_HANDLERS } from '@fenestra/steps';
import { describe, expect, test } from 'vitest';
import { BLANK_RECORD, type WorkerRecord } from '../worker-record.ts';
import { KUBELET_RULE } from '../prepare/gather-prepare-facts.ts';
import { testNodeLayout, testWorkerLayout as layout } from '../testing/test-worker.ts';
import { composeReport } from './reset-worker.ts';
import { KUBE_RESET, type KubeResetFacts } from './workflow.ts';
import { type FolderWishes, workerFolders } from './worker-folders.ts';

const record: WorkerRecord = {
  ...BLANK_RECORD,
  folders: ['/etc/kubernetes', '/etc/kubernetes/pki', '/var/lib/kubelet', '/var/lib/kubelet/pki'],
  found: { networks: [], cniConfigs: [] },
};
const JOINED = [
  layout.caFile,
  layout.kubeconfig,
  layout.kubeletConfig,
  layout.flagsFile,
  `${layout.certificatesFolder}/kubelet-client-current.pem`,
  `${layout.kubeletFolder}/pods`,
  layout.kubelet,
  layout.hostExecutable,
  layout.recordFile,
];
const wishes: FolderWishes = {
  layout,
  record,
  joined: true,
  programs: [layout.kubelet],
  executable: '/keadm',
};

/** Folders as they would be listed if exactly these files were there. */
function listings(files: readonly string[]): readonly FolderListing[] {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    for (let path = file; dirname(path) !== path; path = dirname(path)) {
      folders.set(dirname(path), (folders.get(dirname(path)) ?? new Set()).add(basename(path)));
    }
  }
  return [...folders].map(([path, entries]) => ({ path, entries: [...entries], link: false, mountPoints: [] }));
}

function factsOf(
  files: readonly string[],
  more: Partial<KubeResetFacts> = {},
  chosen: Partial<FolderWishes> = {},
): KubeResetFacts {
  return {
    wishes: {
      force: false,
      kubeconfig: undefined,
      drain: true,
      drainLimitSeconds: 300,
      keepPrograms: false,
      criSocket: undefined,
    },
    layout,
    node: testNodeLayout,
    present: true,
    joined: true,
    nodeName: 'worker-1',
    service: { state: 'running', pid: 1 },
    ownService: true,
    cluster: { state: 'not-asked' },
    runtime: { endpoint: 'unix:///run/containerd/containerd.sock' },
    guardLeft: false,
    volumes: [],
    firewallRule: undefined,
    networks: [],
    folders: judgeFolders(workerFolders({ ...wishes, ...chosen }), listings(files)),
    kept: [],
    ...more,
  };
}

const registered = {
  state: 'registered',
  server: 's',
  kubeconfig: '/k',
  mayDelete: true,
  uid: 'u',
  schedulable: true,
  ready: true,
} as const;
const clean: Partial<KubeResetFacts> = {
  present: false,
  joined: false,
  service: { state: 'absent' },
  ownService: false,
  runtime: {},
};
const NO_WORKER = { record: undefined, joined: false, programs: [] };

const stepsOf = (facts: KubeResetFacts): readonly Step[] =>
  planWorkflow(KUBE_RESET, facts).flatMap(({ steps }) => steps);
const kinds = (facts: KubeResetFacts): readonly string[] => [...new Set(stepsOf(facts).map(({ kind }) => kind))];

describe('planning a reset of a worker', () => {
  test('it is drained and stopped before anything is removed', () => {
    const network = { id: '1', name: 'flannel.4096', type: 'Overlay' };
    const all = {
      cluster: registered,
      guardLeft: true,
      volumes: ['/v'],
      firewallRule: KUBELET_RULE,
      networks: [network],
    };
    expect(kinds(factsOf(JOINED, all))).toEqual([
      'drain-node',
      'stop-service',
      'remove-service',
      'remove-pods',
      'unmount',
      'delete-node',
      'remove-container-network',
      'close-firewall',
      'disarm-guard',
      'clear-folder',
    ]);
  });

  test('a worker has a cluster, and no step of its reset speaks of a cloud', () => {
    const steps = stepsOf(factsOf(JOINED, { cluster: registered, guardLeft: true, volumes: ['/v'] }));
    const texts = steps.map((step) => handlerOf(STEP_HANDLERS, step).describe(step));
    expect(texts.filter((text) => /cloud/i.test(text))).toEqual([]);
  });

  test('whatever comes after the first step without a way back has none either', () => {
    const steps = stepsOf(factsOf(JOINED, { cluster: registered, guardLeft: true, firewallRule: KUBELET_RULE }));
    const after = steps.slice(steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn));
    expect(after.filter((step) => step.pointOfNoReturn !== true)).toEqual([]);
    expect(after[0]).toMatchObject({ kind: 'remove-service' });
  });

  test('a token that a join was about to put in its place when it was cut off goes, too', () => {
    const nursery = `${layout.bootstrapKubeconfig}.private`;
    const { goes } = factsOf([...JOINED, `${nursery}/content`]).folders.find(
      ({ path }) => path === layout.configFolder,
    ) ?? { goes: [] };
    expect(goes).toContain(nursery);
  });

  test("the node's own kubeconfig drains, and only the operator's deletes", () => {
    const own = kinds(factsOf(JOINED, { cluster: { ...registered, mayDelete: false } }));
    expect(own).toContain('drain-node');
    expect(own).not.toContain('delete-node');
  });

  test('a worker that kubeadm made is stopped and emptied, and its service stays', () => {
    const made = JOINED.slice(0, 6);
    const facts = factsOf(made, { ownService: false }, { record: undefined, programs: [] });
    expect(kinds(facts)).toEqual(['stop-service', 'remove-pods', 'clear-folder']);
    expect(facts.folders.filter(({ vanishes }) => vanishes)).toEqual([]);
  });

  test('a machine that was only prepared loses what preparing made', () => {
    const prepared = { ...clean, present: true, service: { state: 'stopped' }, ownService: true } as const;
    const facts = factsOf([layout.kubelet, layout.hostExecutable, layout.recordFile], prepared, { joined: false });
    expect(kinds(facts)).toEqual(['remove-service', 'clear-folder']);
  });
});

describe('trap 16: resetting a worker', () => {
  test('a second time there is nothing to do', () => {
    expect(stepsOf(factsOf([], clean, NO_WORKER))).toEqual([]);
    expect(stepsOf(factsOf(['/usr/local/bin/kubectl', '/etc/kubernetes/manifests/x'], clean, NO_WORKER))).toEqual([]);
  });

  test('without a container runtime the rest is done, and the report says what was not', () => {
    const facts = factsOf(JOINED, { runtime: { problem: 'the container runtime does not answer' } });
    expect(kinds(facts)).toEqual(['stop-service', 'remove-service', 'clear-folder']);
    const { notes } = composeReport(facts, { folders: [], kept: [], cluster: { state: 'absent', server: 's' } });
    expect(notes).toEqual(['No pods were removed: the container runtime does not answer']);
  });

  test('without a kubeconfig the node is left in the cluster, and the report says how to delete it', () => {
    const facts = factsOf(JOINED);
    expect(kinds(facts)).not.toContain('delete-node');
    expect(composeReport(facts, { folders: [], kept: [], cluster: { state: 'not-asked' } })).toMatchObject({
      inCluster: 'unknown',
      notes: [expect.stringContaining('kubectl delete node worker-1')],
    });
  });

  test("only the kubelet's own pods are meant, although its service may still be registered", () => {
    expect(stepsOf(factsOf(JOINED)).find(({ kind }) => kind === 'remove-pods')).toMatchObject({ ofKubelet: true });
  });

  test('nothing is said of what never was there: the report reports files that were seen', () => {
    const { removed } = composeReport(factsOf(JOINED), { folders: [], kept: [], cluster: { state: 'not-asked' } });
    expect(removed).toEqual([
      '/etc/kubernetes',
      '/usr/local/bin/kubelet',
      '/var/lib/fenestra/worker',
      '/var/lib/kubelet',
    ]);
  });
});

const goes = (files: readonly string[], chosen: Partial<FolderWishes> = {}): readonly string[] =>
  factsOf(files, {}, chosen).folders.flatMap((folder) => folder.goes);

describe("telling what is the worker's", () => {
  test('programs that keadm did not place stay', () => {
    expect(goes(JOINED, { programs: [] })).not.toContain(layout.kubelet);
    expect(goes([...JOINED, '/usr/local/bin/kubectl'])).not.toContain('/usr/local/bin/kubectl');
  });

  test("static pods of the operator's stay, and the folder with them", () => {
    const facts = factsOf([...JOINED, `${layout.manifestsFolder}/mine.yaml`]);
    expect(facts.folders.find(({ path }) => path === layout.configFolder)).toMatchObject({ vanishes: false });
    expect(goes([...JOINED, `${layout.manifestsFolder}/mine.yaml`])).not.toContain(
      `${layout.manifestsFolder}/mine.yaml`,
    );
  });

  test('what network plugins have put there since the join stays: others may have put it there', () => {
    const files = [`${layout.cniConfigFolder}/10-flannel.conflist`, '/var/lib/cni/networks/podman/10.88.0.2'];
    expect(goes([...JOINED, ...files]).filter((path) => path.includes('cni'))).toEqual([]);
  });

  test('the program that runs the reset is not deleted by it', () => {
    expect(goes(JOINED, { executable: layout.hostExecutable })).not.toContain(layout.hostExecutable);
  });

  test('a folder that was there before the worker is emptied and stays', () => {
    const facts = factsOf(JOINED, {}, { record: { ...record, folders: [] } });
    expect(facts.folders.filter(({ vanishes }) => vanishes).map(({ path }) => path)).toEqual([
      '/var/lib/fenestra/worker',
    ]);
  });
});
