import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from './command.ts';

/** An image to be made. */
export interface ImageParts {
  /** All its names. */
  readonly names: readonly string[];
  /** What it runs, as the entries of an image's configuration. */
  readonly config: { readonly Entrypoint?: readonly string[]; readonly Cmd?: readonly string[] };
  /** Puts its files into the folder. */
  readonly fill: (root: string) => Promise<void>;
}

/** Makes an archive with an OCI image and returns its path. The folder `layout` beside it has the same as files. */
export async function makeImage(folder: string, parts: ImageParts, signal: AbortSignal): Promise<string> {
  const layout = join(folder, 'layout');
  const blobs = join(layout, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const layer = await makeLayer(folder, blobs, parts, signal);
  const config = await addBlob(blobs, imageConfig(layer.digest, parts));
  const manifest = await addBlob(blobs, imageManifest(config, layer));
  const manifests = parts.names.map((name) => ({
    ...descriptor('application/vnd.oci.image.manifest.v1+json', manifest),
    annotations: { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name },
  }));
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
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

async function makeLayer(folder: string, blobs: string, { fill }: ImageParts, signal: AbortSignal): Promise<Blob> {
  const root = join(folder, 'root');
  await mkdir(root);
  await fill(root);
  const archive = join(folder, 'layer.tar');
  await mustRun(['tar', '--create', `--file=${archive}`, `--directory=${root}`, '.'], {}, signal);
  const content = await readFile(archive);
  const blob = blobOf(content);
  await rename(archive, join(blobs, blob.digest.slice('sha256:'.length)));
  return blob;
}

function imageConfig(layerDigest: string, { config }: ImageParts): object {
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { ...config, Env: ['PATH=/bin'] },
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
