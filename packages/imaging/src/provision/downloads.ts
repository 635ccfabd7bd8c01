import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { PieceSignature, ProgramName, ProgramSource } from '@fenestra/releases';
import * as z from 'zod/mini';
import type { ImageConfig, DownloadSource } from '../image/config.ts';
import type { ImageLayout } from './provision-facts.ts';

/** Something that has to be fetched, and where it waits. */
export interface ImageDownload {
  /** `containerd`, `kubelet`, … */
  readonly id: string;
  readonly version: string;
  readonly location: string;
  readonly sha256: string;
  readonly signature: PieceSignature | undefined;
  readonly to: string;
}

/** What of an image comes from elsewhere, in the order in which it is fetched. */
export function imageDownloads(config: ImageConfig, layout: ImageLayout): readonly ImageDownload[] {
  const { containerd, cloudbaseInit } = config;
  return [
    download('containerd', containerd.version, containerd, layout),
    ...kubernetesDownloads(config, layout),
    download('cloudbase-init', cloudbaseInit.version, cloudbaseInit, layout),
  ];
}

/** The programs of Kubernetes among them, each by its own name. */
export function kubernetesDownloads(
  { kubernetes }: ImageConfig,
  layout: ImageLayout,
): readonly (ImageDownload & { readonly id: ProgramName })[] {
  if (kubernetes === undefined) return [];
  const { version, kubelet, kubeadm, kubeProxy } = kubernetes;
  const programs: readonly (readonly [ProgramName, DownloadSource | undefined])[] = [
    ['kubelet', kubelet],
    ['kubeadm', kubeadm],
    ['kube-proxy', kubeProxy],
  ];
  return programs.flatMap(([id, source]) =>
    source === undefined ? [] : [{ ...download(id, version, source, layout), id }],
  );
}

/** Where a worker's preparation finds the programs of Kubernetes: proved already, and waiting in their folder. */
export function programSources(
  config: ImageConfig,
  layout: ImageLayout,
  target: ProgramSource['target'],
): readonly ProgramSource[] {
  return kubernetesDownloads(config, layout).map(({ id: name, version, sha256: hex, to: location }) => ({
    name,
    origin: location,
    version: versionTag(version),
    target,
    location,
    // Whether there is room is asked when they are fetched.
    size: 0,
    digest: { algorithm: 'sha256', hex },
  }));
}

const ENDINGS: Readonly<Record<string, string>> = { containerd: '.tar.gz', 'cloudbase-init': '.msi' };

function download(id: string, version: string, source: DownloadSource, { stagingFolder }: ImageLayout): ImageDownload {
  const { url, sha256, signature } = source;
  return {
    id,
    version,
    location: url,
    sha256: sha256.toLowerCase(),
    signature: signature === undefined ? undefined : { location: signature.url, key: signature.key },
    to: win32.join(stagingFolder, `${id}${ENDINGS[id] ?? '.exe'}`),
  };
}

const Provenance = z.object({
  form: z.literal(1),
  /** The version of keadm that made it, and its commit. */
  keadm: z.object({ version: z.string(), commit: z.string() }),
  madeAt: z.string(),
  system: z.string(),
  platform: z.string(),
  role: z.string(),
  features: z.array(z.string()),
  pieces: z.array(z.object({ id: z.string(), version: z.string(), location: z.string(), sha256: z.string() })),
  labels: z.record(z.string(), z.string()),
});
export type Provenance = z.infer<typeof Provenance>;

/** Who makes an image, and when. */
export interface ImageMaker {
  readonly version: string;
  readonly commit: string;
  readonly now: Date;
}

/** The record of a completed image. One without changes keeps its time. */
export function nextProvenance(
  config: ImageConfig,
  downloads: readonly ImageDownload[],
  features: readonly string[],
  { maker, old }: { readonly maker: ImageMaker; readonly old: Provenance | undefined },
): Provenance {
  const next: Provenance = {
    form: 1,
    keadm: { version: maker.version, commit: maker.commit },
    madeAt: old?.madeAt ?? '',
    system: config.system,
    platform: config.platform,
    role: config.role,
    features: [...features],
    pieces: downloads.map(({ id, version, location, sha256 }) => ({ id, version, location, sha256 })),
    labels: config.labels ?? {},
  };
  if (old !== undefined && JSON.stringify(next) === JSON.stringify(old)) return old;
  return { ...next, madeAt: maker.now.toISOString() };
}

/** The file's text. */
export function provenanceText(provenance: Provenance): string {
  return `${JSON.stringify(provenance, null, 2)}\n`;
}

/** Reads it back; `undefined` if there is none. What someone has changed is not guessed at. */
export async function readProvenance(path: string): Promise<Provenance | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
  if (text === undefined) return undefined;
  try {
    return Provenance.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('CONFIG_INVALID', `Cannot parse the record of the image in "${path}"`, {
      hint: 'Move the file elsewhere: keadm then treats the machine as new.',
      cause,
    });
  }
}
