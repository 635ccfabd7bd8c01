import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { StepContext } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { fetchAgent } from '@fenestra/steps';
import { releaseSecrets, resolveAgentSource } from '@fenestra/releases';
import type { StepPorts } from '@fenestra/session';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOOPBACK_CERTIFICATE } from '@fenestra/kube-api/testing/loopback-certificate';
import { failingStore } from '../../support/crash/failing-store.ts';
import { AGENT, ENVIRONMENT, portsIn, releaseFiles, requestFor, scratchFolder, upstreamFiles } from './fetching-bed.ts';
import { type ReleaseServer, startReleaseServer, type Treatment } from '../../support/fetching/release-server.ts';

const { signal } = new AbortController();
// Everything is flushed to a disk that others may use as well.
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => vi.resetConfig());
const RELEASE = '/keadm-linux';

beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, undefined);
  setDefaultCACertificates([...getCACertificates('default'), LOOPBACK_CERTIFICATE]);
});
afterEach(() => void vi.unstubAllEnvs());

interface Fetching {
  readonly to: string;
  readonly downloads: string;
  /** What the step said, and how far it came. */
  readonly said: string[];
  readonly progress: number[];
  apply(stop?: AbortSignal): Promise<void>;
  revert(): Promise<void>;
  /** The same step with power. */
  readonly recovered: Pick<Fetching, 'apply' | 'revert'>;
}

async function fetching(
  folder: string,
  from: string,
  powered: (files: FileStore) => FileStore = (files) => files,
): Promise<Fetching> {
  const [to, downloads] = [join(folder, 'bin/edgecore'), join(folder, 'state/downloads')];
  const source = await resolveAgentSource(requestFor(from), ENVIRONMENT, signal);
  const step = fetchAgent({ source, to, downloads });
  const said: string[] = [];
  const progress: number[] = [];
  const ports = portsIn(folder, releaseSecrets(from));
  const { handler } = fetchAgent;
  await mkdir(join(folder, 'bin'), { recursive: true });
  const contextOn = (files: FileStore): StepContext<StepPorts> => ({
    ports: { ...ports, files },
    progress: (done) => void progress.push(done),
    say: (text) => void said.push(text),
  });
  const before = await handler.prepare(step, contextOn(ports.files), signal);
  const on = (files: FileStore): Pick<Fetching, 'apply' | 'revert'> => ({
    apply: async (stop = signal) => handler.apply(step, before, contextOn(files), stop),
    revert: async () => handler.revert(step, before, contextOn(files), signal),
  });
  return { to, downloads, said, progress, ...on(powered(ports.files)), recovered: on(ports.files) };
}

async function serving(treatment: Treatment = {}): Promise<ReleaseServer> {
  const server = await startReleaseServer();
  for (const [name, content] of releaseFiles('v0.2.0')) server.files.set(`/${name}`, content);
  server.treatments.set(RELEASE, treatment);
  return server;
}

async function expectInPlace({ to, downloads, progress }: Fetching): Promise<void> {
  const left = await readdir(downloads).catch(() => []);
  expect((await readFile(to)).equals(AGENT)).toBe(true);
  expect((await stat(to)).mode & 0o777).toBe(0o755);
  expect(left).toEqual([]);
  expect(progress.at(-1)).toBe(AGENT.length);
}

test('a release is fetched by way of a private folder, and reverting leaves nothing of it', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  const step = await fetching(folder.path, server.url);
  await step.apply();
  await expectInPlace(step);
  expect((await stat(step.downloads)).mode & 0o777).toBe(0o700);
  const asked = server.requests.length;
  await step.apply();
  expect(server.requests).toHaveLength(asked);
  await step.revert();
  await step.revert();
  expect(await readdir(join(folder.path, 'bin'))).toEqual([]);
});

test('a connection that breaks is resumed where it broke', async () => {
  await using folder = await scratchFolder();
  await using server = await serving({ breakAfter: 200_000, breaks: 1 });
  const step = await fetching(folder.path, server.url);
  await step.apply();
  await expectInPlace(step);
  const [, again = ''] = server.requests.filter((line) => line.includes(RELEASE));
  expect(again).toMatch(/^GET \/keadm-linux bytes=[1-9]\d+-$/);
});

test('what an interrupted run has left is applied by the next, although its step was reverted', async () => {
  await using folder = await scratchFolder();
  await using server = await serving({ breakAfter: 200_000, breaks: 1 });
  const first = await fetching(folder.path, server.url);
  const stop = new AbortController();
  const failed = expect(first.apply(stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
  await vi.waitUntil(() => first.said.length > 0, 10_000);
  stop.abort();
  await failed;
  await first.revert();
  expect((await readdir(first.downloads)).map((name) => name.replace(/^.*(?=\.)/, ''))).toEqual(['.mark', '.partial']);
  const second = await fetching(folder.path, server.url);
  await second.apply();
  await expectInPlace(second);
  expect(second.said).toEqual([expect.stringMatching(/^resuming at \d+ of/)]);
});

test('a kept part that a power cut has spoilt is fetched again from the beginning', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  const step = await fetching(folder.path, server.url);
  await mkdir(step.downloads, { recursive: true });
  const digest = (await resolveAgentSource(requestFor(server.url), ENVIRONMENT, signal)).digest.hex.slice(0, 16);
  await writeFile(join(step.downloads, `${digest}-keadm-linux.partial`), Buffer.alloc(200_000));
  await writeFile(join(step.downloads, `${digest}-keadm-linux.mark`), '"the one"');
  await step.apply();
  await expectInPlace(step);
});

test.each([
  ['that knows no ranges', { withoutRanges: true }],
  ['whose file changes', { everChanging: true }],
])('a server %s is asked for everything again', async (_what, treatment) => {
  await using folder = await scratchFolder();
  await using server = await serving({ ...treatment, breakAfter: 200_000, breaks: 1 });
  const step = await fetching(folder.path, server.url);
  await step.apply();
  await expectInPlace(step);
});

test('a file with other bytes than promised shows both digests and is deleted', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  const step = await fetching(folder.path, server.url);
  const flipped = Buffer.from(AGENT);
  flipped[500_000] = 0;
  server.files.set(RELEASE, flipped);
  await expect(step.apply()).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringMatching(/digest is [0-9a-f]{64}, but should be [0-9a-f]{64}/),
  });
  expect(await readdir(step.downloads)).toEqual([]);
  expect(await readdir(join(folder.path, 'bin'))).toEqual([]);
});

test('a file that is longer than promised is cut off and deleted', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  const step = await fetching(folder.path, server.url);
  server.files.set(RELEASE, Buffer.concat([AGENT, Buffer.alloc(2_000_000)]));
  await expect(step.apply()).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  expect(await readdir(step.downloads)).toEqual([]);
});

test('a file that is not there is an error at once, and names no credentials', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  const step = await fetching(folder.path, server.url.replace('//', '//anna:secret@'));
  server.files.delete(RELEASE);
  await expect(step.apply()).rejects.toMatchObject({
    code: 'DOWNLOAD_FAILED',
    message: `Cannot fetch "${server.url}${RELEASE}": the server answers 404`,
  });
  expect(server.requests.at(-1)).toBe(`GET ${RELEASE} Basic ${Buffer.from('anna:secret').toString('base64')}`);
});

test('a redirect is followed, and what another release has left makes room', async () => {
  await using folder = await scratchFolder();
  await using server = await serving({ redirectTo: '/elsewhere' });
  server.files.set('/elsewhere', AGENT);
  const step = await fetching(folder.path, server.url);
  await mkdir(step.downloads, { recursive: true });
  await writeFile(join(step.downloads, '0123456789abcdef-keadm-old.partial'), 'old');
  await step.apply();
  await expectInPlace(step);
});

test("upstream's agent is unpacked from its tarball, fetched or local", async () => {
  await using folder = await scratchFolder();
  await using server = await startReleaseServer('https');
  const files = await upstreamFiles('v1.23.0');
  const [tarball = ''] = files.keys();
  for (const [name, content] of files) {
    server.files.set(`/v1.23.0/${name}`, content);
    await writeFile(join(folder.path, name), content);
  }
  for (const from of [`${server.url}/v1.23.0/`, join(folder.path, tarball)]) {
    const step = await fetching(folder.path, from);
    await step.apply();
    await expectInPlace(step);
    await step.revert();
    expect(await readdir(join(folder.path, 'bin'))).toEqual([]);
  }
});

test('a local file that changes after the plan is made is refused, and nothing is in place', async () => {
  await using folder = await scratchFolder();
  for (const [name, content] of releaseFiles('v0.2.0')) await writeFile(join(folder.path, name), content);
  const step = await fetching(folder.path, folder.path);
  const flipped = Buffer.from(AGENT);
  flipped[500_000] = 0;
  await writeFile(join(folder.path, 'keadm-linux'), flipped);
  await expect(step.apply()).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  expect(await readdir(join(folder.path, 'bin'))).toEqual([]);
});

test('what was in place before is kept, and comes back', async () => {
  await using folder = await scratchFolder();
  await using server = await serving();
  await mkdir(join(folder.path, 'bin'));
  await writeFile(join(folder.path, 'bin/edgecore'), 'old', { mode: 0o755 });
  const step = await fetching(folder.path, server.url);
  await step.apply();
  await expectInPlace(step);
  await step.revert();
  await step.revert();
  expect(await readFile(step.to, 'utf8')).toBe('old');
  expect(await readdir(join(folder.path, 'bin'))).toEqual(['edgecore']);
});

test.each([
  ['a fetched release', 'release', undefined],
  ['a fetched release over another program', 'release', 'old'],
  ["upstream's fetched tarball", 'tarball', undefined],
  ["upstream's local tarball over another program", 'local', 'old'],
] as const)('%s, cut short anywhere, can be undone and can be done again', async (_what, kind, old) => {
  await using folder = await scratchFolder();
  await using server = await startReleaseServer('https');
  const files = kind === 'release' ? releaseFiles('v0.2.0') : await upstreamFiles('v1.23.0');
  for (const [name, content] of files) {
    server.files.set(`/v1.23.0/${name}`, content);
    await writeFile(join(folder.path, name), content);
  }
  const from = kind === 'local' ? join(folder.path, [...files.keys()][0] ?? '') : `${server.url}/v1.23.0/`;
  let cuts = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1, cut = true; cut; at += 1) {
      const place = join(folder.path, `${moment}-${at}`);
      await mkdir(join(place, 'bin'), { recursive: true });
      if (old !== undefined) await writeFile(join(place, 'bin/edgecore'), old, { mode: 0o755 });
      const dying = await fetching(place, from, (store) => failingStore(store, at, moment));
      cut = await dying.apply().then(
        () => false,
        () => true,
      );
      cuts += Number(cut);
      await dying.recovered.apply();
      expect((await readFile(dying.to)).equals(AGENT)).toBe(true);
      await dying.recovered.revert();
      expect(await readdir(join(place, 'bin'))).toEqual(old === undefined ? [] : ['edgecore']);
      if (old !== undefined) expect(await readFile(dying.to, 'utf8')).toBe(old);
    }
  }
  expect(cuts).toBeGreaterThan(4);
});
