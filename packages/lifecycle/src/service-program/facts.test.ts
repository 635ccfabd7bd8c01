import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testLayout } from '../testing/test-layout.ts';
import { agentService } from './agent-service.ts';
import { type ServiceFacts, refuseJoinedNode } from './facts.ts';

let folder: string;
let configFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joined-'));
  configFile = join(folder, 'edgecore.yaml');
  await writeFile(configFile, '');
});

afterAll(async () => rm(folder, { recursive: true }));

const installed: ServiceFacts = {
  wanted: agentService(testLayout),
  program: { path: '/keadm', sha256: 'new' },
  installedSha256: 'new',
  missingFolders: [],
  missingFiles: [],
  service: { state: 'running', pid: 1 },
  registeredAsWanted: true,
};
const older: ServiceFacts = { ...installed, installedSha256: 'old' };

test.each<[string, ServiceFacts]>([
  ['have another program', older],
  ['be registered in another way', { ...installed, registeredAsWanted: false }],
])('a joined node whose agent would %s is left to "keadm upgrade"', async (_name, facts) => {
  await expect(refuseJoinedNode(facts, configFile)).rejects.toMatchObject({
    code: 'NODE_CONFLICT',
    hint: expect.stringContaining('keadm upgrade'),
  });
});

test.each<[string, ServiceFacts]>([
  ['has the very program', installed],
  ['has it, stopped', { ...installed, service: { state: 'stopped' } }],
  ['has a configuration and no service yet', { ...older, service: { state: 'absent' }, registeredAsWanted: false }],
])('a machine that %s may be installed on', async (_name, facts) => {
  await expect(refuseJoinedNode(facts, configFile)).resolves.toBeUndefined();
});

test('a machine without a configuration may be installed on', async () => {
  await expect(refuseJoinedNode(older, join(folder, 'absent.yaml'))).resolves.toBeUndefined();
});
