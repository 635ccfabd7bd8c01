import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RELEASE_FILE, releaseManifestText, SIGNATURE_FILE, signRelease } from '@fenestra/releases';

/** A release for one system. */
export interface ReleaseParts {
  readonly version: string;
  readonly os: 'linux' | 'windows';
  readonly executable: string;
  /** An Ed25519 private key in PEM form. */
  readonly signKey: string;
}

/** What is done to the executable, before it is signed or after. */
export interface Damage {
  readonly before?: (file: string) => Promise<void>;
  readonly after?: (file: string) => Promise<void>;
}

/** Makes a release folder: the executable, the manifest and the signature. */
export async function writeRelease(folder: string, parts: ReleaseParts, damage: Damage = {}): Promise<void> {
  const file = join(folder, basename(parts.executable));
  await mkdir(folder, { recursive: true });
  await copyFile(parts.executable, file);
  await damage.before?.(file);
  await sign(folder, file, parts);
  await damage.after?.(file);
}

async function sign(folder: string, file: string, { version, os, signKey }: ReleaseParts): Promise<void> {
  const { size } = await stat(file);
  const entry = { os, arch: 'x64', path: basename(file), size, sha256: await sha256Of(file) } as const;
  const manifest = Buffer.from(releaseManifestText(version, [entry]));
  await writeFile(join(folder, RELEASE_FILE), manifest);
  await writeFile(join(folder, SIGNATURE_FILE), signRelease(manifest, signKey));
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
