import { placeSteps, planWorkflow, type PlanProgress } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { bare } from './testing/facts.ts';
import { ranAs } from './was-here.ts';
import { JOIN } from './workflow.ts';

const plan = planWorkflow(JOIN, bare);
const steps = placeSteps(plan);
const owner = { pid: 1, startedAt: '', bootId: '' };
const place = { nodeName: bare.nodeName, cloud: bare.cloud };

/** A join that was undone after so many steps. */
function undoneAfter(count: number): PlanProgress {
  return {
    begun: { type: 'begun', at: '', command: 'keadm join', programVersion: '', owner, plan },
    steps,
    progress: steps.map(({ index }) => ({ state: index < count ? 'reverted' : 'pending' })),
    direction: 'backward',
    outcome: 'reverted',
  };
}

test('a join that was undone after its agent had started may have left a node in the cloud', () => {
  expect(ranAs(undoneAfter(steps.length), place)).toBe(true);
});

test('a join that never started an agent left nothing', () => {
  expect(ranAs(undoneAfter(steps.length - 2), place)).toBe(false);
});

test('a node of another name or of another cloud is not this one', () => {
  expect(ranAs(undoneAfter(steps.length), { ...place, nodeName: 'press-8' })).toBe(false);
  expect(ranAs(undoneAfter(steps.length), { ...place, cloud: 'https://10.0.0.6:10002' })).toBe(false);
});
