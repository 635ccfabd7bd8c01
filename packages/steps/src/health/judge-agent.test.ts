import type { AgentStatus } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { judgeAgent, type AgentSight } from './judge-agent.ts';

const agent: AgentStatus = {
  version: '0.1.0',
  pid: 7,
  startedAt: '2026-01-01T00:00:00Z',
  reloads: 0,
  connected: true,
  node: { registered: true, ready: 'False', reason: 'no pods' },
};
const well: AgentSight = {
  service: { state: 'running', pid: 7 },
  agent,
  firstPid: 7,
  wants: 'connected',
  podsBefore: [],
};

function judge(change: Partial<AgentSight>): string {
  return judgeAgent({ ...well, ...change }).state;
}

test('an agent that runs, is connected and registered is healthy', () => {
  expect(judge({})).toBe('healthy');
});

test('a node that was ready before has to be ready again', () => {
  expect(judge({ wants: 'ready' })).toBe('waiting');
  expect(judge({ wants: 'ready', agent: { ...agent, node: { registered: true, ready: 'True' } } })).toBe('healthy');
});

test('a node that was cut off anyway only has to run', () => {
  const away = { ...agent, connected: false, node: { registered: false, ready: 'Unknown' as const } };
  expect(judge({ agent: away })).toBe('waiting');
  expect(judge({ agent: away, wants: 'running' })).toBe('healthy');
});

test.each([
  ['runs again', [{ name: 'default/web', state: 'running' }], 'healthy'],
  ['was deleted in the meantime', [{ name: 'default/web', state: 'removed' }], 'healthy'],
  ['is not reported', [{ name: 'default/other', state: 'running' }], 'waiting'],
  ['does not run', [{ name: 'default/web', state: 'notRunning', reason: 'CrashLoopBackOff' }], 'waiting'],
] as const)('with a pod that ran before and %s an agent is %s', (_what, pods, state) => {
  expect(judge({ podsBefore: ['default/web'], agent: { ...agent, pods: [...pods] } })).toBe(state);
});

test('pods that ran before are missed by an agent that reports none, and the first ones are named', () => {
  const names = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'];
  expect(judgeAgent({ ...well, podsBefore: names })).toMatchObject({
    state: 'waiting',
    reason: 'waiting for pods that ran before: a/1 (not reported), a/2 (not reported), a/3 (not reported), 2 more',
  });
});

test('a pod that did not run before is not missed', () => {
  const pods = [{ name: 'default/broken', state: 'notRunning', reason: 'ErrImagePull' } as const];
  expect(judge({ agent: { ...agent, pods } })).toBe('healthy');
});

test('what a killed process left behind is not believed', () => {
  expect(judge({ service: { state: 'running', pid: 8 }, firstPid: 8 })).toBe('waiting');
});

test('a process that ended and came back has not proved anything', () => {
  expect(judgeAgent({ ...well, service: { state: 'running', pid: 8 } })).toMatchObject({
    state: 'hopeless',
    code: 'SERVICE_FAILED',
  });
});

test.each(['stopped', 'failed', 'stopping'] as const)('a service that is %s has ended by itself', (state) => {
  expect(judgeAgent({ ...well, service: { state } })).toMatchObject({ state: 'hopeless', code: 'SERVICE_FAILED' });
});

test('a service that is absent is hopeless', () => {
  expect(judgeAgent({ ...well, service: { state: 'absent' } })).toEqual({
    state: 'hopeless',
    reason: 'its service is absent',
  });
});

test('a cloud that cannot be reached may come back, a token that is refused does not fix itself', () => {
  const away = { ...agent, connected: false };
  expect(judge({ agent: { ...away, problem: { message: 'x', code: 'HUB_UNREACHABLE' } } })).toBe('waiting');
  expect(
    judgeAgent({ ...well, agent: { ...away, problem: { message: 'x', code: 'TOKEN_INVALID', hint: 'h' } } }),
  ).toEqual({
    state: 'hopeless',
    reason: 'x',
    hint: 'h',
  });
});
