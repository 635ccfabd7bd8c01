import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minimalEdgecoreYaml, setInYaml } from '@fenestra/contracts';
import {
  applyConfiguration,
  gatherNodeFacts,
  joinedAgentService,
  planReconfiguration,
  type ConfigurationWish,
} from '@fenestra/lifecycle';
import type { NodeSession } from '@fenestra/session';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestCloud } from '@fenestra/edgecore/testing/test-cloud';
import { SUPERVISOR_MAIN } from '@fenestra/platform-linux/testing/programs';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';
import { startWelcomingCloud } from './welcoming-cloud.ts';

const AGENT_MAIN = fileURLToPath(new URL('./agent-main.ts', import.meta.url));
const HOUR = 3_600_000;
const LIMIT = 60_000;
const PASSWORD = 'hunter2-the-password';

let cloud: TestCloud;
let session: NodeSession;
let root: string;
const { signal } = new AbortController();

beforeAll(async () => {
  cloud = await startWelcomingCloud();
  root = mkdtempSync(join(tmpdir(), 'reconfigure-'));
  session = { ...sessionBelow(root, [process.execPath, SUPERVISOR_MAIN]), executable: AGENT_MAIN };
  const { layout, ports } = session;
  for (const folder of [join(layout.configFolder, 'config'), layout.programFolder])
    mkdirSync(folder, { recursive: true });
  writeFileSync(layout.agentExecutable, `#!/bin/sh\nexec '${process.execPath}' '${AGENT_MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(layout.agentConfigFile, firstConfiguration(), { mode: 0o600 });
  await ports.services.install(joinedAgentService(layout).spec);
  await ports.services.start('edgecore', signal);
  await vi.waitFor(async () => expect((await gatherNodeFacts(session)).agent?.node?.registered).toBe(true), {
    timeout: LIMIT,
  });
}, LIMIT);

afterAll(async () => {
  await session.ports.services.remove('edgecore', signal);
  await cloud.stop();
  rmSync(root, { recursive: true, force: true });
});

function firstConfiguration(): string {
  const files = ['tlsCaFile=ca.crt', 'tlsCertFile=node.crt', 'tlsPrivateKeyFile=node.key'];
  return setInYaml(minimalEdgecoreYaml('linux', { hostName: 'edge-7', cloudAddress: '127.0.0.1' }), [
    `database.dataSource=${join(session.layout.stateFolder, 'edgecore.db')}`,
    `modules.edgeHub.httpServer=https://${cloud.server}`,
    `modules.edgeHub.websocket.server=${cloud.server}`,
    `modules.edgeHub.token=${cloud.authority.token(Date.now() + HOUR)}`,
    ...files.map((file) => `modules.edgeHub.${file.replace('=', `=${join(root, 'etc')}/`)}`),
  ]);
}

function setting(...assignments: readonly string[]): ConfigurationWish {
  return {
    make: (present) => setInYaml(present, assignments),
    fileName: 'edgecore.yaml',
    allowIdentityChange: false,
    limitSeconds: 10,
    settleSeconds: 0,
  };
}

async function apply(...assignments: readonly string[]) {
  return applyConfiguration(session, 'keadm config set', setting(...assignments), signal);
}

function configuration(): string {
  return readFileSync(session.layout.agentConfigFile, 'utf8');
}

test('a change is in effect in the same process and on the same connection, and the second time there is nothing to do', async () => {
  const before = await gatherNodeFacts(session);
  const sessions = cloud.sessions.length;
  const change = await apply('modules.edgeHub.heartbeat=20', `modules.eventBus.mqttPassword=${PASSWORD}`);
  const after = await gatherNodeFacts(session);
  expect(change).toMatchObject({ outcome: 'applied', way: 'reload', restartKeys: [] });
  expect(after.service.pid).toBe(before.service.pid);
  expect(after.agent).toMatchObject({ connected: true, lastReload: { outcome: 'applied' } });
  expect(cloud.sessions).toHaveLength(sessions);
  expect(await apply('modules.edgeHub.heartbeat=20')).toMatchObject({ outcome: 'unchanged', plan: [] });
});

test('no secret of a configuration is in the journal, and no old file is left', () => {
  const journals = readdirSync(session.layout.journalFolder).map((name) => join(session.layout.journalFolder, name));
  expect(journals.map((path) => readFileSync(path, 'latin1')).join()).not.toContain(PASSWORD);
  expect(configuration()).toContain(PASSWORD);
  expect(readdirSync(join(session.layout.configFolder, 'config'))).toEqual(['edgecore.yaml']);
});

test('a file that the agent refuses is put back, with the reason the agent gave', async () => {
  const before = configuration();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const change = await apply(
    'modules.metaManager.metaServer.enable=true',
    `modules.metaManager.metaServer.server=127.0.0.1:${port}`,
  );
  taken.close();
  expect(change.outcome).toBe('reverted');
  expect(change.failure).toMatchObject({ code: 'RELOAD_REVERTED', message: expect.stringContaining('EADDRINUSE') });
  expect(configuration()).toBe(before);
  expect((await gatherNodeFacts(session)).agent).toMatchObject({ connected: true, lastReload: { outcome: 'refused' } });
});

test('a file that was edited manually is applied by the same command', async () => {
  const edited = setInYaml(configuration(), ['modules.edgeHub.messageQPS=31']);
  writeFileSync(session.layout.agentConfigFile, edited);
  const change = await apply('modules.edgeHub.messageQPS=31');
  expect(change.plan.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
    'reload-service',
    'prove-healthy',
  ]);
  expect(await apply('modules.edgeHub.messageQPS=31')).toMatchObject({ outcome: 'unchanged' });
});

test('a wish that is not sound, or for another node, is refused before anything is done', async () => {
  const before = configuration();
  await expect(apply('modules.edgeHub.heartbeat=0')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(apply('modules.edged.hostnameOverride=other')).rejects.toMatchObject({ code: 'NODE_CONFLICT' });
  await expect(apply('modules.edgeHub.websocket.server=192.0.2.1:1')).rejects.toMatchObject({ code: 'NODE_CONFLICT' });
  expect(configuration()).toBe(before);
});

test('where a restart is needed, the plan says for what', async () => {
  const wish = setting(`database.dataSource=${join(root, 'elsewhere', 'edgecore.db')}`);
  const { plan, way, restartKeys } = await planReconfiguration(session, wish);
  expect({ way, restartKeys }).toEqual({ way: 'restart', restartKeys: ['database.dataSource'] });
  expect(plan.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toContain('arm-guard');
});
