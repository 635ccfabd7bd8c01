import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { StepContext } from '@fenestra/kernel';
import { executableTarget, releaseSecrets, resolveProgram, type ProgramRequest } from '@fenestra/releases';
import { fetchProgram } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOOPBACK_CERTIFICATE } from '@fenestra/kube-api/testing/loopback-certificate';
import { standInKubelet } from '../../support/worker/stand-in/stand-in-kubelet.ts';
import { portsIn, scratchFolder } from './fetching-bed.ts';
import { startReleaseServer, type ReleaseServer } from '../../support/fetching/release-server.ts';

const { signal } = new AbortController();
const VERSION = 'v1.33.1';
const KUBELET = standInKubelet(VERSION, 'good');
const PLACE = `/${VERSION}/bin/linux/amd64/kubelet`;
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => vi.resetConfig());

beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, undefined);
  setDefaultCACertificates([...getCACertificates('default'), LOOPBACK_CERTIFICATE]);
});
afterEach(() => void vi.unstubAllEnvs());

const target = executableTarget(KUBELET) ?? { os: 'linux', arch: 'other' };
const requestOf = (from: string): ProgramRequest => ({
  name: 'kubelet',
  from,
  version: VERSION,
  target,
  withoutChecksum: true,
  variables: {},
});

/** A server that publishes as Kubernetes does. */
async function publishing(content: Buffer = KUBELET): Promise<ReleaseServer> {
  const server = await startReleaseServer('https');
  server.files.set(PLACE, content);
  server.files.set(`${PLACE}.sha512`, Buffer.from(createHash('sha512').update(KUBELET).digest('hex')));
  return server;
}

async function fetching(folder: string, from: string): Promise<{ readonly to: string } & { apply(): Promise<void> }> {
  const source = await resolveProgram(requestOf(from), signal);
  const to = join(folder, 'kubelet');
  const step = fetchProgram({ source, to, downloads: join(folder, 'downloads') });
  const { handler } = fetchProgram;
  const ports = portsIn(folder, releaseSecrets(from));
  const context: StepContext<StepPorts> = { ports, progress: () => {}, say: () => {} };
  const before = await handler.prepare(step, context, signal);
  return { to, apply: async () => handler.apply(step, before, context, signal) };
}

test('a program is fetched from where Kubernetes publishes it, and proved by its SHA-512', async () => {
  await using folder = await scratchFolder();
  await using server = await publishing();
  const step = await fetching(folder.path, server.url);
  await step.apply();
  expect((await readFile(step.to)).equals(KUBELET)).toBe(true);
  expect((await stat(step.to)).mode & 0o777).toBe(0o755);
});

test('a program that was changed on the way is never run, and never in place', async () => {
  await using folder = await scratchFolder();
  const changed = Buffer.from(KUBELET);
  changed.writeUInt8(changed.readUInt8(changed.length - 2) ^ 1, changed.length - 2);
  await using server = await publishing(changed);
  const step = await fetching(folder.path, server.url);
  await expect(step.apply()).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  await expect(stat(step.to)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('at an address no one vouches for a program but its checksum file', async () => {
  await using server = await publishing();
  server.files.delete(`${PLACE}.sha512`);
  await expect(resolveProgram(requestOf(server.url), signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    hint: expect.stringContaining('checksum'),
  });
});

test('plain HTTP is refused: there is no signature that would show what was changed on the way', async () => {
  await expect(resolveProgram(requestOf('http://127.0.0.1:9/'), signal)).rejects.toMatchObject({
    code: 'RELEASE_UNTRUSTED',
    hint: expect.stringContaining('https'),
  });
});
