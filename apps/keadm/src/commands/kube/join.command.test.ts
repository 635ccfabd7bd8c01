import { OperatorError } from '@fenestra/kernel';
import type { KubeJoinFacts, PlannedKubeJoin } from '@fenestra/worker';
import { expect, test } from 'vitest';
import { joinResult } from './join.command.ts';

const plan = [
  {
    id: 'start-kubelet',
    title: 'Start the kubelet',
    steps: [
      { kind: 'write-file', path: '/x', content: '' },
      { kind: 'start-service', name: 'kubelet' },
    ],
  },
];
const facts = {
  nodeName: 'worker-1',
  server: 'https://c:6443',
  kubeletVersion: 'v1.33.1',
  criSocket: 'unix:///c',
  joining: { bootstrap: 'own' },
};

/** Of a planned join, what its result tells about. */
function plannedJoin(
  given: Pick<KubeJoinFacts, 'nodeName' | 'server' | 'kubeletVersion' | 'criSocket'>,
): PlannedKubeJoin {
  return JSON.parse(JSON.stringify({ plan, facts: given, findings: [], warnings: [] }));
}

const failure = new OperatorError('KUBELET_UNHEALTHY', 'The kubelet did not prove that it works', { hint: 'Look.' });
const reverted = { outcome: 'reverted', recovered: [], plan, failure } as const;
const received = (...begun: readonly number[]) => ({ notes: ['waits for its network'], begun: new Set(begun) });

test('a join tells the node, the cluster and what it waits for', () => {
  const { text } = joinResult({ outcome: 'applied', recovered: [], plan }, plannedJoin(facts), received(0, 1));
  expect(text).toBe(
    'Node "worker-1" has joined the cluster at https://c:6443, with kubelet v1.33.1\nwaits for its network',
  );
});

test('a second join says that there is nothing to do', () => {
  const result = joinResult({ outcome: 'unchanged', recovered: [], plan: [] }, plannedJoin(facts), received());
  expect(result).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining('Nothing to do: this machine is already'),
  });
});

test('a join that failed after the kubelet had started shows how to forget its node, one before that does not', () => {
  const late = joinResult(reverted, plannedJoin(facts), received(0, 1));
  expect(late).toMatchObject({
    exitCode: failure.exitCode,
    text: expect.stringContaining('kubectl delete node worker-1'),
  });
  expect(joinResult(reverted, plannedJoin(facts), received(0)).text).not.toContain('kubectl delete node');
});
