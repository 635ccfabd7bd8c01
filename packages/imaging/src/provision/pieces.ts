import { win32 } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { type ImageConfig, type ImagePiece } from '../image/config/schema.ts';
import type { PieceSignature, ProgramName, ProgramSource } from '@fenestra/releases';
import type { ImageLayout } from './image-layout.ts';

/** Something that has to be fetched, and where it waits. */
export interface WantedPiece {
  /** `containerd`, `kubelet`, … */
  readonly id: string;
  readonly version: string;
  readonly location: string;
  readonly sha256: string;
  readonly signature: PieceSignature | undefined;
  readonly to: string;
}

/** What of an image comes from elsewhere, in the order in which it is fetched. */
export function wantedPieces(config: ImageConfig, layout: ImageLayout): readonly WantedPiece[] {
  const { containerd, cloudbaseInit } = config;
  return [
    piece('containerd', containerd.version, containerd, layout),
    ...kubernetesPieces(config, layout),
    piece('cloudbase-init', cloudbaseInit.version, cloudbaseInit, layout),
  ];
}

/** The programs of Kubernetes among them, each by its own name. */
export function kubernetesPieces(
  { kubernetes }: ImageConfig,
  layout: ImageLayout,
): readonly (WantedPiece & { readonly id: ProgramName })[] {
  if (kubernetes === undefined) return [];
  const { version, kubelet, kubeadm, kubeProxy } = kubernetes;
  const programs: readonly (readonly [ProgramName, ImagePiece | undefined])[] = [
    ['kubelet', kubelet],
    ['kubeadm', kubeadm],
    ['kube-proxy', kubeProxy],
  ];
  return programs.flatMap(([id, source]) =>
    source === undefined ? [] : [{ ...piece(id, version, source, layout), id }],
  );
}

/** Where a worker's preparation finds the programs of Kubernetes: proved already, and waiting in their folder. */
export function programSources(
  config: ImageConfig,
  layout: ImageLayout,
  target: ProgramSource['target'],
): readonly ProgramSource[] {
  return kubernetesPieces(config, layout).map(({ id: name, version, sha256: hex, to: location }) => ({
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

function piece(id: string, version: string, source: ImagePiece, { piecesFolder }: ImageLayout): WantedPiece {
  const { url, sha256, signature } = source;
  return {
    id,
    version,
    location: url,
    sha256: sha256.toLowerCase(),
    signature: signature === undefined ? undefined : { location: signature.url, key: signature.key },
    to: win32.join(piecesFolder, `${id}${ENDINGS[id] ?? '.exe'}`),
  };
}
