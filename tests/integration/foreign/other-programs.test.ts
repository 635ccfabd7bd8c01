import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { minimalEdgecoreYaml } from '@fenestra/contracts';
import {
  findRollback,
  gatherNodeFacts,
  joinedAgentService,
  planBackup,
  planJoin,
  planReconfiguration,
  planRestore,
  type JoinWishes,
} from '@fenestra/lifecycle';
import type { NodeSession } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

const wishes: JoinWishes = {
  cloud: { host: '127.0.0.1', hubPort: undefined, certificatePort: undefined },
  nodeName: 'press-7',
  labels: {},
  runtimeEndpoint: undefined,
  cgroupDriver: undefined,
  restartDelaysSeconds: undefined,
  configuration: undefined,
  assignments: [],
  token: undefined,
  program: { path: process.execPath, version: '0.1.0', madeAt: new Date(0) },
  release: undefined,
  version: undefined,
  waived: [],
  limitSeconds: 1,
  settleSeconds: 0,
};

let folder: string;
let session: NodeSession;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  session = sessionBelow(folder, []);
});

afterEach(async () => rm(folder, { recursive: true }));

/** A machine with the configuration of a node, whose service runs this program. */
async function makeNode(executable: string): Promise<void> {
  const { agentConfigFile } = session.layout;
  await mkdir(dirname(agentConfigFile), { recursive: true });
  await writeFile(agentConfigFile, minimalEdgecoreYaml('linux', { hostName: 'press-7', cloudAddress: '127.0.0.1' }));
  await session.ports.services.install({ ...joinedAgentService(session.layout).spec, executable });
}

async function placeProgram(answer: string): Promise<void> {
  const { agentExecutable } = session.layout;
  await mkdir(dirname(agentExecutable), { recursive: true });
  await writeFile(agentExecutable, `#!/bin/sh\necho "${answer}"\n`, { mode: 0o755 });
}

const { signal } = new AbortController();
const wish = { limitSeconds: 1, settleSeconds: 0 };
const configuration = { ...wish, make: (text: string) => text, fileName: 'f', allowIdentityChange: false };

const COMMANDS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['join', async () => planJoin(session, wishes, signal)],
  ['rollback', async () => findRollback(session, undefined, false)],
  ['config', async () => planReconfiguration(session, configuration)],
  ['backup', async () => planBackup(session, { folder: join(folder, 'backups'), encrypted: false })],
  ['restore', async () => planRestore(session, { ...wish, place: folder })],
];

test.each(COMMANDS)('%s leaves a service alone that runs its own program', async (_name, plan) => {
  const program = join(folder, 'opt/edgecore');
  await makeNode(program);
  await expect(plan()).rejects.toMatchObject({
    code: 'SERVICE_CONFLICT',
    message: expect.stringContaining(`"${program}"`),
    hint: expect.stringContaining('keadm reset'),
  });
  expect(await readdir(join(folder, 'etc'))).toEqual(['config']);
});

test.each([
  ['KubeEdge v1.23.0', 'upstream'],
  ['0.1.0', 'fenestra'],
])('a stopped agent that says "%s" is known to be of the kind %s', async (answer, kind) => {
  await makeNode(session.layout.agentExecutable);
  await placeProgram(answer);
  expect(await gatherNodeFacts(session)).toMatchObject({ agentKind: kind, foreignService: undefined, joined: true });
});
