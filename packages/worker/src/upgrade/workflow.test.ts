import { planWorkflow, type Step } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { bareMachine, preparedMachine } from '../testing/prepare-facts.ts';
import { testWorkerLayout as layout } from '../testing/test-worker.ts';
import { backupFolderOf, type KubeUpgradeFacts } from './upgrade-facts.ts';
import { KUBE_UPGRADE } from './workflow.ts';

const current = { version: 'v1.33.0', takenAt: '2026-01-01T00:00:00.000Z' };
const facts: KubeUpgradeFacts = {
  ...preparedMachine,
  programs: bareMachine.programs.map((program) => ({ ...program, replacedSha256: 'old' })),
  service: { state: 'running', pid: 7 },
  recorded: false,
  root: undefined,
  nodeName: 'worker-1',
  drainKubeconfig: layout.kubeconfig,
  drains: true,
  drainLimitSeconds: 300,
  ready: true,
  schedulable: true,
  current,
  targetVersion: 'v1.33.1',
  kept: [{ path: layout.kubeletConfig, sha256: 'config' }],
  refreshed: [{ path: layout.kubeletConfig, sha256: 'config', content: 'new' }],
  annotations: {},
  backupFolder: backupFolderOf(layout, current, () => false),
  pruned: [],
  healthz: undefined,
  limitSeconds: 240,
  settleSeconds: 20,
};

function stepsOf(change: Partial<KubeUpgradeFacts> = {}): readonly Step[] {
  return planWorkflow(KUBE_UPGRADE, { ...facts, ...change }).flatMap(({ steps }) => steps);
}
const kinds = (change?: Partial<KubeUpgradeFacts>): readonly string[] => stepsOf(change).map(({ kind }) => kind);

test('an upgrade fetches, backs up, arms the guard and drains before it stops anything', () => {
  expect(kinds()).toEqual([
    'fetch-program',
    'create-folder',
    'place-file',
    'place-file',
    'write-file',
    'arm-guard',
    'drain-node',
    'stop-service',
    'swap-executable',
    'write-file',
    'start-service',
    'prove-kubelet',
    'write-file',
    'uncordon-node',
    'discard-path',
    'discard-path',
    'disarm-guard',
  ]);
});

test('there is a way back until the new version has proved itself', () => {
  const steps = stepsOf();
  const first = steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn === true);
  expect(steps[first - 1]?.kind).toBe('prove-kubelet');
  expect(steps[first]).toMatchObject({ kind: 'write-file', path: layout.recordFile });
});

test('an upgrade to the version that is there plans nothing, whatever else would be otherwise', () => {
  expect(kinds({ programs: preparedMachine.programs, recorded: true, refreshed: [] })).toEqual([]);
  expect(kinds({ programs: preparedMachine.programs })).toEqual([]);
});

test('a node that was Ready has to be Ready again, in the new version', () => {
  const proofs = [true, false].map((ready) => stepsOf({ ready }).find(({ kind }) => kind === 'prove-kubelet'));
  expect(proofs).toMatchObject([{ wants: 'ready', version: 'v1.33.1' }, { wants: 'registered' }]);
});

test('a node that someone had cordoned stays so, and one that is not drained is not cordoned', () => {
  expect(kinds({ schedulable: false })).not.toContain('uncordon-node');
  const undrained = kinds({ drains: false });
  expect(undrained).not.toContain('drain-node');
  expect(undrained).not.toContain('uncordon-node');
});

test('between stop and start nothing is fetched or backed up', () => {
  const all = kinds();
  expect(all.slice(all.indexOf('stop-service') + 1, all.indexOf('start-service'))).toEqual([
    'swap-executable',
    'write-file',
  ]);
});

test('a program that someone removed is put in its place again', () => {
  const steps = stepsOf({ programs: bareMachine.programs });
  expect(steps.find(({ kind }) => kind === 'fetch-program')).toMatchObject({ to: layout.kubelet });
  expect(steps.map(({ kind }) => kind)).not.toContain('swap-executable');
});

test('a backup never touches an earlier one of the same version', () => {
  expect(backupFolderOf(layout, current, () => false)).toBe(`${layout.backupsFolder}/v1.33.0`);
  expect(backupFolderOf(layout, current, () => true)).toBe(`${layout.backupsFolder}/v1.33.0-20260101T000000000Z`);
});
