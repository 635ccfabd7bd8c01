import { planWorkflow } from '@fenestra/kernel';
import type { NodeLayout } from '@fenestra/platform';
import { expect, test } from 'vitest';
import type { AgentFacts } from './facts.ts';
import { INSTALL_AGENT, REMOVE_AGENT } from './workflows.ts';

const layout: NodeLayout = {
  configFolder: '/etc/kubeedge',
  stateFolder: '/var/lib/kubeedge',
  agentFolder: '/usr/local/bin',
  agentExecutable: '/usr/local/bin/edgecore',
  bookkeepingFolder: '/b',
  journalFolder: '/b/journal',
  lockFolder: '/b/lock',
  supervisorFolder: '/b/supervisor',
};

const bare: AgentFacts = {
  layout,
  program: { path: '/keadm', sha256: 'new' },
  installed: undefined,
  missingFolders: ['/etc/kubeedge', '/var/lib/kubeedge'],
  service: { state: 'absent' },
  registeredAsWanted: false,
};

const installed: AgentFacts = {
  ...bare,
  installed: { path: '/usr/local/bin/edgecore', sha256: 'new' },
  missingFolders: [],
  service: { state: 'running', pid: 1 },
  registeredAsWanted: true,
};

const kinds = (workflow: typeof INSTALL_AGENT, facts: AgentFacts): readonly string[] =>
  planWorkflow(workflow, facts).flatMap(({ steps }) => steps.map(({ kind }) => kind));

test('install on a bare machine makes folders, places the program, registers it and starts it', () => {
  expect(kinds(INSTALL_AGENT, bare)).toEqual([
    'create-folder',
    'create-folder',
    'place-executable',
    'install-service',
    'start-service',
  ]);
});

test('install on a machine already as wanted plans nothing', () => {
  expect(kinds(INSTALL_AGENT, installed)).toEqual([]);
});

test('install of another version gives up the old program only after the new one was started', () => {
  const older = { ...installed, installed: { path: '/usr/local/bin/edgecore', sha256: 'old' } };
  expect(kinds(INSTALL_AGENT, older)).toEqual(['place-executable', 'stop-service', 'start-service', 'remove-path']);
});

test('remove deletes nothing before the service is gone', () => {
  expect(kinds(REMOVE_AGENT, installed)).toEqual(['stop-service', 'remove-service', 'remove-path']);
});

test('remove on a bare machine plans nothing', () => {
  expect(kinds(REMOVE_AGENT, bare)).toEqual([]);
});
