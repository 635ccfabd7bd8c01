import { planWorkflow, type Step } from '@fenestra/kernel';
import type { AgentSource } from '@fenestra/releases';
import { expect, test } from 'vitest';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import type { UpgradeFacts } from './facts.ts';
import { CHANGE_VERSION } from './workflow.ts';

const target: AgentSource = {
  origin: '/media/release',
  version: 'v0.2.0',
  kind: 'fenestra',
  target: { os: 'linux', arch: 'x64' },
  form: 'file',
  location: '/media/release/keadm',
  size: 1,
  digest: { algorithm: 'sha256', hex: 'new' },
  signed: true,
  executableSha256: 'new',
};
const backupFolder = `${testLayout.backupsFolder}/v0.1.0`;

const facts: UpgradeFacts = {
  node: testNode,
  target,
  current: { version: 'v0.1.0', agent: 'fenestra', sha256: 'old', takenAt: '2026-01-01T00:00:00Z' },
  wanted: joinedAgentService(testLayout),
  registeredAsWanted: true,
  layout: testLayout,
  root: undefined,
  keadm: { path: '/keadm', sha256: 'keadm' },
  wishes: { limitSeconds: 120, settleSeconds: 20, keep: 3, keepBytes: 100 },
  restoring: undefined,
  backupFolder,
  configSha256: 'c',
  database: '/var/lib/kubeedge/edgecore.db',
  pruned: [],
  versionFileSha256: null,
};

function steps(change: Partial<UpgradeFacts>): readonly Step[] {
  return planWorkflow(CHANGE_VERSION, { ...facts, ...change }).flatMap((phase) => phase.steps);
}

function kinds(change: Partial<UpgradeFacts>): readonly string[] {
  return steps(change).map(({ kind }) => kind);
}

test('an upgrade backs up and arms the guard before it stops anything, and records the version last', () => {
  expect(kinds({})).toEqual([
    'fetch-agent',
    'create-folder',
    'place-file',
    'place-file',
    'write-file',
    'arm-guard',
    'record-pods',
    'stop-service',
    'snapshot-database',
    'swap-executable',
    'start-service',
    'prove-healthy',
    'write-file',
    'disarm-guard',
  ]);
});

test('there is a way back until the new version has proved itself', () => {
  const first = steps({}).findIndex(({ pointOfNoReturn }) => pointOfNoReturn === true);
  expect(steps({})[first - 1]?.kind).toBe('prove-healthy');
});

test('between stop and start nothing is copied but the database', () => {
  const all = kinds({});
  expect(all.slice(all.indexOf('stop-service') + 1, all.indexOf('start-service'))).toEqual([
    'snapshot-database',
    'swap-executable',
  ]);
});

test('an upgrade to the program that is in place plans nothing once its version is recorded', () => {
  const inPlace = { target: { ...target, executableSha256: 'old' } };
  expect(kinds(inPlace)).toEqual(['write-file']);
});

test('a way back brings the configuration and the database of the older version', () => {
  const restoring = {
    folder: '/etc/kubeedge/backups/v0.0.9',
    configSha256: 'o',
    hasDatabase: true,
    reportsPods: true,
    statusFolder: '/s',
  };
  const all = kinds({ restoring });
  expect(all.slice(all.indexOf('swap-executable') + 1, all.indexOf('start-service'))).toEqual([
    'place-file',
    'restore-database',
  ]);
});

test('a rollback needs no report of pods from a version that never gave one', () => {
  const back = { folder: '/b', configSha256: undefined, hasDatabase: false, statusFolder: '/s' };
  const proof = (reportsPods: boolean) =>
    steps({ restoring: { ...back, reportsPods } }).find(({ kind }) => kind === 'prove-healthy');
  expect(proof(true)).toHaveProperty('podsFile');
  expect(proof(false)).not.toHaveProperty('podsFile');
});

test('a node that was ready has to be ready again', () => {
  const ready = {
    ...testNode,
    agent: { version: '0', pid: 1, startedAt: '', reloads: 0, node: { registered: true, ready: 'True' as const } },
  };
  expect(steps({ node: ready }).find(({ kind }) => kind === 'prove-healthy')).toMatchObject({ wants: 'ready' });
});
