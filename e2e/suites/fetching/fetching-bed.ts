import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checksumName,
  RELEASE_FILE,
  releaseManifestText,
  SIGNATURE_FILE,
  signRelease,
  tarballName,
  type AgentRequest,
  executableTarget,
  type SourceEnvironment,
} from '@fenestra/releases';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import type { StepPorts } from '@fenestra/session';

const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** A real program, with something behind it so that it is not over at once. */
export const AGENT = Buffer.concat([readFileSync('/bin/true'), Buffer.alloc(600_000, 'agent')]);
export const AGENT_SHA256 = sha(AGENT, 'sha256');

const arch = executableTarget(AGENT)?.arch === 'arm64' ? 'arm64' : 'x64';
/** The machine that the tests run on. */
export const TARGET = { os: 'linux', arch } as const;

/** What a release folder holds, by file name. */
export function releaseFiles(version: string, signed = true): ReadonlyMap<string, Buffer> {
  const file = { ...TARGET, path: 'keadm-linux', size: AGENT.length, sha256: AGENT_SHA256 };
  const manifest = Buffer.from(releaseManifestText(version, [file]));
  const signature: [string, Buffer] = [SIGNATURE_FILE, Buffer.from(signRelease(manifest, privateKey))];
  return new Map([['keadm-linux', AGENT], [RELEASE_FILE, manifest], ...(signed ? [signature] : [])]);
}

/** What upstream publishes of a version, by file name; packed by the system's own tar, as upstream does it. */
export async function upstreamFiles(version: string, agent = AGENT): Promise<ReadonlyMap<string, Buffer>> {
  await using folder = await scratchFolder();
  const name = tarballName(version, TARGET.os, TARGET.arch);
  const release = name.replace('.tar.gz', '');
  await mkdir(join(folder.path, release, 'edge'), { recursive: true });
  await writeFile(join(folder.path, release, 'version'), `${version}\n`);
  await writeFile(join(folder.path, release, 'edge/edgecore'), agent, { mode: 0o755 });
  execFileSync('tar', ['-czf', name, `${release}/`], { cwd: folder.path });
  const tarball = await readFile(join(folder.path, name));
  return new Map([
    [name, tarball],
    [checksumName(name), Buffer.from(`${sha(tarball, 'sha512')}\n`)],
  ]);
}

/** The ports of this machine. */
export function portsIn(folder: string, secrets: ReadonlyMap<string, string> = new Map()): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { host: linuxHost(), secrets, files: posixFileStore(), access: posixAccessControl(), services };
}

/** A request for this machine, of someone who trusts the test releases. */
export function requestFor(from: string, version?: string): AgentRequest {
  return { from, version, target: TARGET, trustKeys: [publicKey] };
}

/** An environment without proxies. */
export const ENVIRONMENT: SourceEnvironment = { executable: process.execPath, version: '0.1.0', variables: {} };

/** Its own folder that goes when the test ends. */
export async function scratchFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'fetching-'));
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) };
}

function sha(bytes: Uint8Array, algorithm: 'sha256' | 'sha512'): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
