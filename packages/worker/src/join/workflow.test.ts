import { planWorkflow, type Step } from '@fenestra/kernel';
import { describe, expect, test } from 'vitest';
import { bareMachine, preparedMachine } from '../testing/prepare-facts.ts';
import { testWorkerLayout as layout } from '../testing/test-worker.ts';
import type { KubeJoinFacts, NewMembership } from './join-facts.ts';
import { KUBE_JOIN } from './workflow.ts';

const joining: NewMembership = {
  bootstrap: 'own',
  files: [layout.caFile, layout.kubeletConfig, layout.flagsFile].map((path) => ({
    path,
    content: path,
    replacedSha256: undefined,
  })),
  kubeconfig: { path: layout.kubeconfig, content: 'kubelet.conf', replacedSha256: undefined },
  bootstrapSha256: 'token',
  replacedBootstrapSha256: undefined,
  bootstrapSeconds: 300,
  labels: { zone: 'north' },
  annotations: {},
};
const more = {
  nodeName: 'worker-1',
  server: 'https://c:6443',
  criSocket: 'unix:///run/containerd/containerd.sock',
  claimed: [layout.kubeletFolder, layout.certificatesFolder],
  kubeletVersion: 'v1.33.1',
  healthz: { address: '127.0.0.1', port: 10_248 },
  waitReady: false,
  limitSeconds: 240,
  settleSeconds: 5,
};
const bare: KubeJoinFacts = { ...bareMachine, ...more, joining };
const prepared: KubeJoinFacts = { ...preparedMachine, ...more, joining, recorded: false };
const joined: KubeJoinFacts = {
  ...preparedMachine,
  ...more,
  claimed: [],
  joining: undefined,
  service: { state: 'running', pid: 7 },
};

function stepsOf(facts: KubeJoinFacts): readonly Step[] {
  return planWorkflow(KUBE_JOIN, facts).flatMap(({ steps }) => steps);
}
const kinds = (facts: KubeJoinFacts): readonly string[] => stepsOf(facts).map(({ kind }) => kind);

describe('planning a join', () => {
  test('one command makes a worker of a bare machine', () => {
    expect(kinds(bare)).toEqual([
      'create-folder',
      'claim-folders',
      'fetch-program',
      'place-executable',
      'write-file',
      'write-file',
      'write-file',
      'request-identity',
      'install-service',
      'open-firewall',
      'sweep-on-revert',
      'start-service',
      'prove-kubelet',
      'mark-node',
      'write-file',
    ]);
  });

  test('a machine that is prepared lacks only its membership', () => {
    expect(kinds(prepared)).toEqual([
      'claim-folders',
      'write-file',
      'write-file',
      'write-file',
      'request-identity',
      'sweep-on-revert',
      'start-service',
      'prove-kubelet',
      'mark-node',
      'write-file',
      'discard-path',
    ]);
  });

  test('a kubelet that waits for its configuration is stopped before it gets half of it', () => {
    const steps = kinds({ ...prepared, service: { state: 'running', pid: 7 } });
    expect(steps.indexOf('stop-service')).toBeLessThan(steps.indexOf('write-file'));
  });

  test('a worker that runs is left alone', () => {
    expect(stepsOf(joined)).toEqual([]);
  });

  test('trap 13: a worker whose service stands still, has failed or is missing is started and has to prove itself', () => {
    expect(kinds({ ...joined, service: { state: 'stopped' } })).toEqual(['start-service', 'prove-kubelet']);
    expect(kinds({ ...joined, service: { state: 'failed' } })).toEqual([
      'stop-service',
      'start-service',
      'prove-kubelet',
    ]);
    expect(kinds({ ...joined, registered: false, service: { state: 'absent' } })).toEqual([
      'install-service',
      'start-service',
      'prove-kubelet',
    ]);
  });

  test('there is a way back until the node is proved and recorded', () => {
    for (const facts of [bare, prepared]) {
      const steps = stepsOf(facts);
      const first = steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn === true);
      expect(first === -1 ? steps.at(-1)?.kind : steps[first - 1]?.kind).toBe('write-file');
    }
  });

  test('a node has to be Ready only if someone waits for it', () => {
    const plans = [false, true].map((waitReady) => stepsOf({ ...bare, waitReady }));
    const proofs = plans.map((steps) => steps.find(({ kind }) => kind === 'prove-kubelet'));
    expect(proofs).toMatchObject([{ wants: 'registered', version: 'v1.33.1' }, { wants: 'ready' }]);
  });
});

test('trap 18: the token is in no step, and whatever holds a secret is written by a step that keeps it private', () => {
  const steps = stepsOf({ ...bare, joining: { ...joining, bootstrap: 'kubelet' } });
  const aboutToken = steps.filter((step) => JSON.stringify(step).includes(layout.bootstrapKubeconfig));
  expect(aboutToken.map(({ kind }) => kind)).toEqual(['write-secret', 'remove-path']);
  expect(aboutToken[0]).not.toHaveProperty('content');
  // The folder may be one that kubeadm or an image has made, for all to read.
  expect(aboutToken[0]).toMatchObject({ ownRights: true });
});

describe('trap 15: bootstrap-kubelet.conf', () => {
  const byKubelet: KubeJoinFacts = { ...bare, joining: { ...joining, bootstrap: 'kubelet' } };
  const paths = (kind: string): readonly unknown[] =>
    stepsOf(byKubelet)
      .filter((step) => step.kind === kind)
      .map((step) => step['path']);

  test('it is written for a kubelet that gets its certificate by itself, and removed once the node is proved', () => {
    expect(paths('write-secret')).toEqual([layout.bootstrapKubeconfig]);
    expect(paths('remove-path')).toEqual([layout.bootstrapKubeconfig]);
    const steps = kinds(byKubelet);
    expect(steps.indexOf('remove-path')).toBeGreaterThan(steps.indexOf('prove-kubelet'));
  });

  test('on failure it goes with the step that wrote it, which has a way back', () => {
    expect(stepsOf(byKubelet).find(({ kind }) => kind === 'write-secret')?.pointOfNoReturn).toBeUndefined();
  });

  test('it is never there where keadm gets the certificate', () => {
    expect(JSON.stringify(stepsOf(bare))).not.toContain(layout.bootstrapKubeconfig);
  });

  test('one that an earlier join left is removed', () => {
    const left = stepsOf({ ...bare, joining: { ...joining, replacedBootstrapSha256: 'old' } });
    expect(left.find(({ kind }) => kind === 'remove-path')).toMatchObject({ path: layout.bootstrapKubeconfig });
  });
});
