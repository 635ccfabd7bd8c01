import { planWorkflow } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { testLayout } from '../testing/test-layout.ts';
import { agentService } from './agent-service.ts';
import type { ServiceFacts } from './facts.ts';
import { INSTALL_SERVICE, REMOVE_SERVICE } from './workflows.ts';

const bare: ServiceFacts = {
  wanted: agentService(testLayout),
  program: { path: '/keadm', sha256: 'new' },
  installedSha256: undefined,
  missingFolders: ['/etc/kubeedge', '/var/lib/kubeedge'],
  missingFiles: [],
  service: { state: 'absent' },
  registeredAsWanted: false,
};

const installed: ServiceFacts = {
  ...bare,
  installedSha256: 'new',
  missingFolders: [],
  service: { state: 'running', pid: 1 },
  registeredAsWanted: true,
};

const kinds = (workflow: typeof INSTALL_SERVICE, facts: ServiceFacts): readonly string[] =>
  planWorkflow(workflow, facts).flatMap(({ steps }) => steps.map(({ kind }) => kind));

test('install on a bare machine makes folders, places the program, registers it and starts it', () => {
  expect(kinds(INSTALL_SERVICE, bare)).toEqual([
    'create-folder',
    'claim-folders',
    'place-executable',
    'install-service',
    'start-service',
  ]);
});

test('install on a machine already up to date plans nothing', () => {
  expect(kinds(INSTALL_SERVICE, installed)).toEqual([]);
});

test('install of another version gives up the old program only after the new one was started', () => {
  const older = { ...installed, installedSha256: 'old' };
  expect(kinds(INSTALL_SERVICE, older)).toEqual(['stop-service', 'place-executable', 'start-service', 'remove-path']);
});

test('remove deletes nothing before the service is gone', () => {
  expect(kinds(REMOVE_SERVICE, installed)).toEqual(['stop-service', 'remove-service', 'remove-path']);
});

test('remove on a bare machine plans nothing', () => {
  expect(kinds(REMOVE_SERVICE, bare)).toEqual([]);
});
