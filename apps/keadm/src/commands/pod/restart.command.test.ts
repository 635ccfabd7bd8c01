import { OperatorError } from '@fenestra/kernel';
import type { ContainerView, PodView } from '@fenestra/pods';
import { expect, test } from 'vitest';
import { reportedPods } from '../../pods/node-pods.ts';
import { wereReplaced } from './restart.command.ts';

const before = container('main', 'c1');
const runtimeProblem = new OperatorError('RUNTIME_UNUSABLE', 'Cannot use the container runtime', { hint: 'Start it.' });

function container(name: string, id: string | undefined, state: ContainerView['state'] = 'running'): ContainerView {
  return { name, state, role: 'regular', image: '', ready: true, restarts: 0, ...(id !== undefined && { id }) };
}

function podWith(...containers: readonly ContainerView[]): PodView {
  const counts = { ready: 1, total: 1, restarts: 0 };
  return {
    namespace: 'a',
    name: 'web',
    uid: 'u',
    status: 'Running',
    isWell: true,
    ...counts,
    containers,
    conditions: [],
  };
}

test.each([
  ['another instance runs', [container('main', 'c2')], true],
  ['the same instance runs', [container('main', 'c1')], false],
  ['another instance has not started', [container('main', 'c2', 'waiting')], false],
  ['the container is missing', [container('other', 'c2')], false],
])('when %s, that a container was replaced is %s', (_, containers, expected) => {
  const pods = [podWith(...containers)];
  expect(wereReplaced({ uid: 'u' }, [before], { pods })).toBe(expected);
});

test('a pod is not taken for restarted while the runtime does not answer', () => {
  const pods = [podWith(container('main', undefined))];
  expect(wereReplaced({ uid: 'u' }, [before], { pods, runtimeProblem })).toBe(false);
});

test('what needs the runtime is refused with its problem', () => {
  expect(() => reportedPods({ pods: [podWith(before)], runtimeProblem })).toThrow(runtimeProblem);
});
