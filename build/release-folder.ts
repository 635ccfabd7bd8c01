import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RELEASE_FILE, releaseManifestText, SIGNATURE_FILE, signRelease, type ReleaseFile } from '@fenestra/releases';

/** One executable that goes into a release. */
export interface ReleasePart {
  readonly os: ReleaseFile['os'];
  readonly arch: ReleaseFile['arch'];
  /** Its name in the release. */
  readonly name: string;
  readonly executable: string;
}

/** What a release is made of. */
export interface ReleaseParts {
  /** With a leading `v`. */
  readonly version: string;
  readonly parts: readonly ReleasePart[];
  /** An Ed25519 private key in PEM form; a release without one is unsigned. */
  readonly signKey: string | undefined;
}

/** Makes a release's folder again: the executables, the manifest and, with a key, the signature. The same parts give the same bytes. */
export async function writeReleaseFolder(folder: string, { version, parts, signKey }: ReleaseParts): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await Promise.all(parts.map(async (part) => addFile(folder, part)));
  const manifest = Buffer.from(releaseManifestText(version, files));
  await writeFile(join(folder, RELEASE_FILE), manifest);
  if (signKey !== undefined) await writeFile(join(folder, SIGNATURE_FILE), signRelease(manifest, signKey));
}

async function addFile(folder: string, { os, arch, name, executable }: ReleasePart): Promise<ReleaseFile> {
  const path = join(folder, name);
  await copyFile(executable, path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { os, arch, path: name, size: (await stat(path)).size, sha256: hash.digest('hex') };
}
