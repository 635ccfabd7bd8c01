import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ImageParts, makeImage } from './oci-image.ts';
import type { PodRuntime } from './pod-runtime.ts';

const Index = z.object({ manifests: z.tuple([z.object({ digest: z.string() })], z.unknown()) });
const Manifest = z.object({ layers: z.tuple([z.object({ digest: z.string() })], z.unknown()) });

/** An image that the registry of a test serves. */
export interface ServedImage {
  /** By its digest. */
  readonly name: string;
  /** The file with its only layer, as the registry reads it. */
  readonly layer: string;
}

/** Adds an image to what the registry of a runtime serves. */
export async function serveImage(
  { folder, registry }: Pick<PodRuntime, 'folder' | 'registry'>,
  name: string,
  parts: Omit<ImageParts, 'names'>,
  signal: AbortSignal,
): Promise<ServedImage> {
  const made = join(folder, 'images', name);
  await makeImage(made, { ...parts, names: [name] }, signal);
  const served = join(folder, 'system/layout');
  await cp(join(made, 'layout/blobs'), join(served, 'blobs'), { recursive: true });
  const index = Index.parse(JSON.parse(await readFile(join(made, 'layout/index.json'), 'utf8')));
  const [{ digest }] = index.manifests;
  const manifest = Manifest.parse(JSON.parse(await readFile(blob(served, digest), 'utf8')));
  return { name: `${registry}/open/${name}@${digest}`, layer: blob(served, manifest.layers[0].digest) };
}

/** Changes a byte of a file. A second time, it is as it was. */
export async function damage(file: string): Promise<void> {
  const content = await readFile(file);
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
  await writeFile(file, content);
}

function blob(layout: string, digest: string): string {
  return join(layout, 'blobs', digest.replace(':', '/'));
}
