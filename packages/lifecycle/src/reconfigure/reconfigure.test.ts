import { configDigest } from '@fenestra/contracts';
import { planWorkflow, type Step } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import { wayFor, type ReconfigureFacts } from './facts.ts';
import { RECONFIGURE } from './reconfigure.ts';

const present = configDigest(testNode.configText);

const facts: ReconfigureFacts = {
  node: testNode,
  layout: testLayout,
  root: undefined,
  keadm: { path: '/keadm', sha256: 'keadm' },
  presentSha256: present,
  wantedSha256: 'wanted',
  writes: true,
  changes: [{ path: 'modules.edgeHub.heartbeat', before: 15, after: 20 }],
  restartKeys: [],
  notes: [],
  way: 'reload',
  proof: {
    service: 'edgecore',
    stateFolder: testLayout.stateFolder,
    logFile: testLayout.agentLogFile,
    agent: 'fenestra',
    wants: 'connected',
    limitSeconds: 120,
    settleSeconds: 5,
  },
};

function steps(change: Partial<ReconfigureFacts>): readonly Step[] {
  return planWorkflow(RECONFIGURE, { ...facts, ...change }).flatMap((phase) => phase.steps);
}

function kinds(change: Partial<ReconfigureFacts>): readonly string[] {
  return steps(change).map(({ kind }) => kind);
}

test('a change by reload stops nothing, and the rollback reloads after the old file is in place again', () => {
  expect(kinds({})).toEqual(['reload-on-revert', 'write-secret', 'reload-service', 'prove-healthy', 'remove-path']);
});

test('a change of the connection itself is guarded even if it is made by reload', () => {
  const changes = [{ path: 'modules.edgeHub.websocket.server', before: 'a:1', after: 'b:1' }];
  expect(kinds({ changes })).toEqual([
    'arm-guard',
    'reload-on-revert',
    'write-secret',
    'reload-service',
    'prove-healthy',
    'remove-path',
    'disarm-guard',
  ]);
});

test('a change by restart is a small upgrade: guarded, and proved before the old file is given up', () => {
  expect(kinds({ way: 'restart' })).toEqual([
    'arm-guard',
    'stop-service',
    'write-secret',
    'start-service',
    'prove-healthy',
    'remove-path',
    'disarm-guard',
  ]);
});

test('what is in effect already plans nothing, and a file that was edited manually is only reloaded', () => {
  expect(kinds({ writes: false, way: 'none', changes: [] })).toEqual([]);
  const edited = steps({ writes: false, way: 'reload', changes: [] });
  expect(edited.map(({ kind }) => kind)).toEqual(['reload-service', 'prove-healthy']);
  expect(edited[0]).toMatchObject({ configSha256: present });
});

test.each([
  ['a running agent of ours takes it up', testNode.service, 'old', { writes: true, restarts: false }, 'reload'],
  ['a key needs a restart', testNode.service, 'old', { writes: true, restarts: true }, 'restart'],
  ["upstream's agent knows no reload", testNode.service, undefined, { writes: true, restarts: false }, 'restart'],
  ['an agent that does not run', { state: 'failed' as const }, undefined, { writes: true, restarts: false }, 'restart'],
  ['the file is in effect', testNode.service, present, { writes: false, restarts: false }, 'none'],
  [
    'the token of the file was used and blanked',
    testNode.service,
    'wanted',
    { writes: false, restarts: false },
    'none',
  ],
  ['the file was edited by hand', testNode.service, 'old', { writes: false, restarts: false }, 'reload'],
])('%s', (_name, service, inEffect, change, way) => {
  const status = { version: '1', pid: 1, startedAt: '', reloads: 0 };
  const agent = inEffect === undefined ? undefined : { ...status, configSha256: inEffect };
  expect(wayFor({ agent, service, configText: testNode.configText }, change, 'wanted')).toBe(way);
});

test('no text of a configuration is in any plan', () => {
  for (const way of ['reload', 'restart'] as const) {
    expect(JSON.stringify(steps({ way }))).not.toContain('apiVersion');
  }
});
