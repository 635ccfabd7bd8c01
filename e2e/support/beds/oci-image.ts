import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from './command.ts';

const BUSYBOX = '/bin/busybox';

/**
 * Makes an archive with an OCI image: a static busybox, and the command that it runs unless told otherwise.
 * Returns the archive's path.
 */
export async function makeImage(
  folder: string,
  name: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const layout = join(folder, 'layout');
  const blobs = join(layout, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const layer = await makeLayer(folder, blobs, signal);
  const config = await addBlob(blobs, imageConfig(layer.digest, command));
  const manifest = await addBlob(blobs, imageManifest(config, layer));
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  const named = { ...descriptor('application/vnd.oci.image.manifest.v1+json', manifest), annotations };
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const archive = join(folder, 'image.tar');
  await mustRun(['tar', '--create', `--file=${archive}`, `--directory=${layout}`, '.'], {}, signal);
  return archive;
}

interface Blob {
  /** `sha256:…`. */
  readonly digest: string;
  readonly size: number;
}

async function makeLayer(folder: string, blobs: string, signal: AbortSignal): Promise<Blob> {
  const root = join(folder, 'root');
  await mkdir(join(root, 'bin'), { recursive: true });
  await copyFile(BUSYBOX, join(root, 'bin/busybox'));
  await copyFile(BUSYBOX, join(root, 'bin/sh'));
  const archive = join(folder, 'layer.tar');
  await mustRun(['tar', '--create', `--file=${archive}`, `--directory=${root}`, '.'], {}, signal);
  const content = await readFile(archive);
  const blob = blobOf(content);
  await rename(archive, join(blobs, blob.digest.slice('sha256:'.length)));
  return blob;
}

function imageConfig(layerDigest: string, command: readonly string[]): object {
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Entrypoint: command, Env: ['PATH=/bin'] },
    rootfs: { type: 'layers', diff_ids: [layerDigest] },
  };
}

function imageManifest(config: Blob, layer: Blob): object {
  return {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: descriptor('application/vnd.oci.image.config.v1+json', config),
    layers: [descriptor('application/vnd.oci.image.layer.v1.tar', layer)],
  };
}

function descriptor(mediaType: string, { digest, size }: Blob): object {
  return { mediaType, digest, size };
}

async function addBlob(blobs: string, document: object): Promise<Blob> {
  const content = Buffer.from(JSON.stringify(document));
  const blob = blobOf(content);
  await writeFile(join(blobs, blob.digest.slice('sha256:'.length)), content);
  return blob;
}

function blobOf(content: Buffer): Blob {
  return { digest: `sha256:${createHash('sha256').update(content).digest('hex')}`, size: content.length };
}
