import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus, configDigest } from '@fenestra/contracts';
import type { ServiceProgram } from '@fenestra/platform';
import { linuxHost, linuxPodHost, posixAccessControl, posixFileStore } from '@fenestra/platform-linux';
import { freePort } from '@fenestra/platform/testing/free-port';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runEdgecore, type EdgecoreEnvironment } from './run-edgecore.ts';
import { startTestCloud, type TestCloud } from './testing/test-cloud.ts';

const HOUR = 3_600_000;
let cloud: TestCloud;
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  return async () => cloud.stop();
});

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** Runs edgecore with a service manager that does what the test says. */
async function run(args: readonly string[], overrides: Partial<EdgecoreEnvironment> = {}) {
  const { promise: hosted, resolve } = Promise.withResolvers<ServiceProgram>();
  const stopped = Promise.withResolvers<void>();
  const exit = runEdgecore(args, {
    version: '1.2.3',
    now: () => new Date(),
    files: posixFileStore(),
    host: linuxHost(),
    podHost: linuxPodHost(),
    access: posixAccessControl(),
    serviceHost: {
      async run(_, program) {
        resolve(program);
        await stopped.promise;
        return 0;
      },
    },
    ...overrides,
  });
  const program = await Promise.race([hosted, exit.then(() => Promise.reject(new Error('It ended')))]);
  endings.push(async () => {
    stopped.resolve();
    await exit;
  });
  return program;
}

async function start(args: readonly string[], overrides?: Partial<EdgecoreEnvironment>): Promise<ServiceProgram> {
  const program = await run(args, overrides);
  await program.start(new AbortController().signal);
  endings.push(async () => program.stop());
  return program;
}

function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'agent-'));
}

function statusIn(folder: string): AgentStatus {
  return AgentStatus.parse(JSON.parse(readFileSync(join(folder, AGENT_STATUS_FILE), 'utf8')));
}

function stateOf(folder: string, name: string): string | undefined {
  return statusIn(folder).modules?.find((module) => module.name === name)?.state;
}

interface FileContent {
  readonly metaServerPort?: number;
  readonly extra?: string;
}

function writeConfig(folder: string, { metaServerPort, extra = '' }: FileContent = {}): string {
  const path = join(folder, 'edgecore.yaml');
  const metaServer =
    metaServerPort === undefined ? '' : `    metaServer: { enable: true, server: "127.0.0.1:${metaServerPort}" }`;
  writeFileSync(
    path,
    `apiVersion: edgecore.config.kubeedge.io/v1alpha2
kind: EdgeCore
database: { dataSource: ${join(folder, 'state', 'edgecore.db')} }
modules:
  edgeHub:
    httpServer: https://${cloud.server}
    token: ${cloud.authority.token(Date.now() + HOUR)}
    tlsCaFile: ${join(folder, 'ca.crt')}
    tlsCertFile: ${join(folder, 'node.crt')}
    tlsPrivateKeyFile: ${join(folder, 'node.key')}
    websocket: { server: "${cloud.server}" }
  edged: { hostnameOverride: edge-7 }
  metaManager:
    enable: true
${metaServer}
${extra}`,
  );
  return path;
}

test('without a configuration the agent idles, says so in its status file and leaves nothing else', async () => {
  const folder = join(scratch(), 'state');
  const program = await start(['--state-folder', folder]);
  await program.reload();
  expect(statusIn(folder)).toEqual({
    version: '1.2.3',
    pid: process.pid,
    startedAt: expect.any(String),
    reloads: 1,
    lastReload: { at: expect.any(String), outcome: 'applied' },
  });
  expect(readdirSync(folder)).toEqual([AGENT_STATUS_FILE]);
  await program.stop();
  expect(readdirSync(folder)).toEqual([]);
});

test('an agent that waits for its configuration takes it up at a reload', async () => {
  const folder = scratch();
  const program = await start(['--state-folder', join(folder, 'state'), '--config', join(folder, 'edgecore.yaml')]);
  const state = join(folder, 'state');
  expect(statusIn(state).modules).toBeUndefined();
  await program.reload();
  expect(readdirSync(state)).toEqual([AGENT_STATUS_FILE]);
  writeConfig(folder);
  await program.reload();
  await vi.waitFor(() => expect(statusIn(state)).toMatchObject({ nodeName: 'edge-7', connected: true, reloads: 2 }));
  expect(readFileSync(join(state, 'log', 'edgecore.log'), 'utf8')).toContain('the agent idles');
});

test('with a configuration it connects, logs to a private file and reports its modules', async () => {
  const folder = scratch();
  await start(['--config', writeConfig(folder)]);
  const state = join(folder, 'state');
  await vi.waitFor(() => expect(statusIn(state).connected).toBe(true));
  expect(stateOf(state, 'edgeHub')).toBe('healthy');
  expect(stateOf(state, 'metaManager')).toBe('healthy');
  const lines = readFileSync(join(state, 'log', 'edgecore.log'), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'Connected to the cloud' }),
  );
});

test('a reload is checked first, and a file with a mistake changes nothing', async () => {
  const folder = scratch();
  const program = await start(['--config', writeConfig(folder)]);
  const state = join(folder, 'state');
  await vi.waitFor(() => expect(statusIn(state).connected).toBe(true));
  const sessions = cloud.sessions.length;
  writeConfig(folder, { extra: '  nonsense: 1\n' });
  await expect(program.reload()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(statusIn(state)).toMatchObject({ connected: true, reloads: 0 });
  expect(cloud.sessions).toHaveLength(sessions);
});

test('the status names the configuration in effect by its digest, and says how the last reload ended', async () => {
  const folder = scratch();
  const path = writeConfig(folder);
  const first = configDigest(readFileSync(path, 'utf8'));
  const program = await start(['--config', path]);
  const state = join(folder, 'state');
  expect(statusIn(state)).toMatchObject({ configSha256: first });
  expect(statusIn(state).lastReload).toBeUndefined();
  writeConfig(folder, { extra: '  nonsense: 1\n' });
  await expect(program.reload()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(statusIn(state)).toMatchObject({
    configSha256: first,
    lastReload: { outcome: 'refused', code: 'CONFIG_INVALID', message: expect.stringContaining('nonsense') },
  });
  writeConfig(folder, { extra: '# another text\n' });
  const next = configDigest(readFileSync(path, 'utf8'));
  await program.reload();
  expect(statusIn(state)).toMatchObject({ configSha256: next, lastReload: { outcome: 'applied' } });
});

test('two reloads at a time are taken one after the other', async () => {
  const folder = scratch();
  const program = await start(['--config', writeConfig(folder)]);
  writeConfig(folder, { extra: '# another text\n' });
  await Promise.all([program.reload(), program.reload()]);
  expect(statusIn(join(folder, 'state'))).toMatchObject({ reloads: 2, lastReload: { outcome: 'applied' } });
});

test('a reload that changes another module leaves the connection alone', async () => {
  const folder = scratch();
  const program = await start(['--config', writeConfig(folder)]);
  const state = join(folder, 'state');
  await vi.waitFor(() => expect(statusIn(state).connected).toBe(true));
  const sessions = cloud.sessions.length;
  writeConfig(folder, { metaServerPort: await freePort() });
  await program.reload();
  expect(stateOf(state, 'metaServer')).toBe('healthy');
  expect(cloud.sessions).toHaveLength(sessions);
});

test('a reload with which a module can not start puts the old configuration back', async () => {
  const folder = scratch();
  const port = await freePort();
  const program = await start(['--config', writeConfig(folder, { metaServerPort: port })]);
  const state = join(folder, 'state');
  const taken = createServer();
  const takenPort = await freePort();
  await new Promise<void>((resolve) => taken.listen(takenPort, '127.0.0.1', resolve));
  writeConfig(folder, { metaServerPort: takenPort });
  await expect(program.reload()).rejects.toMatchObject({ code: 'RELOAD_REVERTED', details: { module: 'metaServer' } });
  taken.close();
  expect(stateOf(state, 'metaServer')).toBe('healthy');
  expect((await fetch(`http://127.0.0.1:${port}/version`)).status).toBe(200);
});

test('errors go to the system log as well', async () => {
  const folder = scratch();
  const errors: string[] = [];
  const program = await start(['--config', writeConfig(folder)], { systemLog: { error: (text) => errors.push(text) } });
  writeFileSync(join(folder, 'edgecore.yaml'), 'kind: Nonsense\n');
  await expect(program.reload()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(errors).toMatchObject([expect.stringContaining('Cannot reload')]);
});

test('a missing configuration and a missing folder are usage errors or named files', async () => {
  const missing = await run(['--config', join(scratch(), 'edgecore.yaml')]);
  await expect(missing.start(new AbortController().signal)).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
  await expect(run([])).rejects.toMatchObject({ code: 'USAGE' });
});

test('the default and the minimal configuration are printed', async () => {
  const printed: string[] = [];
  const environment = { print: (text: string) => void printed.push(text) };
  for (const flag of ['--defaultconfig', '--minconfig', '--version'])
    await run([flag], environment).catch(() => undefined);
  expect(printed[0]).toContain('messageQPS: 30');
  expect(printed[1]).toContain('hostnameOverride');
  expect(printed[2]).toBe('1.2.3\n');
});
