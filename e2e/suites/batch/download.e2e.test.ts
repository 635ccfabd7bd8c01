/** Executables that come from an address: a real web server with TLS, whose CA only this operator trusts. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksumName } from '@fenestra/releases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOPBACK_CERTIFICATE } from '@fenestra/kube-api/testing/loopback-certificate';
import { mustRun } from '../../support/beds/command.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { type ReleaseServer, startReleaseServer } from '../../support/fetching/release-server.ts';
import { type BatchAnswer, failuresIn, problemsIn, statesIn } from './controller.ts';
import { CHEAP, otherKeadm, storedPrograms } from './fault-parts.ts';
import { type PlainNode, type PlainSite, startPlainSite } from './plain-site.ts';

const VERSION = 'v9.8.7';
const ARCHIVE = `keadm-${VERSION}-linux-amd64.tar.gz`;
const PAGE = Buffer.from('<html><body>Please log in to this network</body></html>');
let site: PlainSite;
let server: ReleaseServer;
let folder: string;
let packed: Packed;

interface Packed {
  readonly archive: Buffer;
  /** The digest of the executable in it. */
  readonly sha256: string;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-download-'));
  await writeFile(join(folder, 'ca.crt'), LOOPBACK_CERTIFICATE);
  server = await startReleaseServer('https');
  site = await startPlainSite(5);
  packed = await pack();
});
afterAll(async () => {
  await site.stop();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('it is fetched once by HTTPS, for however many nodes, and is what the nodes get', async () => {
  offer(packed.archive, digestOf(packed.archive));
  const nodes = site.nodes.slice(0, 2);
  const answer = await run(nodes);
  expect(problemsIn(answer)).toEqual([]);
  expect(server.requests.filter((line) => line === `GET /${ARCHIVE}`)).toHaveLength(1);
  for (const node of nodes) expect(await storedPrograms(node)).toEqual([packed.sha256]);
});

test('a server that no one vouches for is not believed', async () => {
  offer(packed.archive, digestOf(packed.archive));
  const [node] = site.nodes.slice(2);
  const answer = await run([node], { NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt') });
  expect(await refusal(answer, node)).toEqual([101, 'failed', 'DOWNLOAD_FAILED', []]);
  expect(answer.stdout).toContain('KEADM_CA_FILE');
});

test('an error page is not taken for a program, nor for its checksum', async () => {
  const [, , , node] = site.nodes;
  server.files.set(`/${ARCHIVE}`, PAGE).set(`/${checksumName(ARCHIVE)}`, PAGE);
  expect(await refusal(await run([node]), node)).toEqual([101, 'failed', 'RELEASE_INVALID', []]);
  offer(PAGE, digestOf(packed.archive));
  expect(await refusal(await run([node]), node)).toEqual([101, 'failed', 'RELEASE_INVALID', []]);
});

test('an archive with other bytes than its checksum says is not used', async () => {
  const [, , , , node] = site.nodes;
  const spoilt = Buffer.from(packed.archive);
  const middle = Math.floor(spoilt.length / 2);
  spoilt.writeUInt8(spoilt.readUInt8(middle) ^ 1, middle);
  offer(spoilt, digestOf(packed.archive));
  expect(await refusal(await run([node]), node)).toEqual([101, 'failed', 'RELEASE_INVALID', []]);
});

/** An executable that no one takes for the one that is here, as releases are packed. */
async function pack(): Promise<Packed> {
  const inner = join(folder, `keadm-${VERSION}-linux-amd64`, 'keadm');
  await mkdir(inner, { recursive: true });
  const { path, sha256 } = await otherKeadm(site);
  await copyFile(path, join(inner, 'keadm'));
  const archive = join(folder, ARCHIVE);
  const argv = ['tar', '--use-compress-program=gzip -1', '-cf', archive, '-C', folder, `keadm-${VERSION}-linux-amd64`];
  await mustRun(argv, {}, unlimited());
  return { archive: await readFile(archive), sha256 };
}

function offer(archive: Buffer, digest: string): void {
  server.requests.length = 0;
  server.files.set(`/${ARCHIVE}`, archive).set(`/${checksumName(ARCHIVE)}`, Buffer.from(`${digest}\n`));
}

function digestOf(content: Buffer): string {
  return createHash('sha512').update(content).digest('hex');
}

/** A run on these nodes by an operator who trusts the server's CA, or has other variables. */
async function run(
  nodes: readonly (PlainNode | undefined)[],
  env: Readonly<Record<string, string>> = { KEADM_CA_FILE: join(folder, 'ca.crt') },
): Promise<BatchAnswer> {
  const known = nodes.filter((node) => node !== undefined);
  const keadm = { keadmVersion: VERSION, archGroup: ['amd64'], download: { url: server.url } };
  const file = await site.controller.write(
    'download.yaml',
    site.fileFor(known, { keadm, defaults: { keadmCmd: CHEAP } }),
  );
  return site.controller.start(['-c', file, ...site.flags], { env }).ended;
}

/** How a run ended on a node, and what the node has got. */
async function refusal(answer: BatchAnswer, node: PlainNode | undefined): Promise<readonly unknown[]> {
  if (node === undefined) throw new Error('There are too few machines');
  const { exitCode } = answer;
  return [exitCode, statesIn(answer)[node.name], failuresIn(answer)[node.name], await storedPrograms(node)];
}
