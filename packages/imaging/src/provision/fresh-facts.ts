import { win32 } from 'node:path';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';
import type { ImageConfig } from '../image/config.ts';
import { containerdService } from './containerd.ts';
import { imageDownloads, type ImageMaker, nextProvenance, provenanceText } from './downloads.ts';
import { imageLayout, type ProvisionFacts, type WantedText } from './provision-facts.ts';
import {
  cloudbaseFiles,
  containerdText,
  CONTAINERS_FEATURE,
  imageFolders,
  ownPrograms,
  registrySettings,
  searchFolders,
} from './image-parts.ts';

/** A Windows machine that is not there yet. */
export interface FreshImage {
  readonly config: ImageConfig;
  readonly node: NodeLayout;
  readonly worker: WorkerLayout;
  readonly maker: ImageMaker;
  /** The program that makes the image. */
  readonly executable: string;
}

/** The facts of a Windows machine that has nothing of an image yet. It looks at no machine at all. */
export function freshFacts({ config, node, worker, maker, executable }: FreshImage): ProvisionFacts {
  const layout = imageLayout(win32.parse(worker.programFolder).root.slice(0, 2), node.bookkeepingFolder);
  const downloads = imageDownloads(config, layout);
  const provenance = nextProvenance(config, downloads, [CONTAINERS_FEATURE], { maker, old: undefined });
  return {
    config,
    layout,
    node,
    worker,
    downloads,
    missingFolders: imageFolders(layout, worker),
    containerdInPlace: false,
    replacesContainerd: false,
    containerdConfig: newText(layout.containerdConfig, containerdText(config, layout, worker)),
    containerdService: { spec: containerdService(layout), isRegistered: false, state: 'absent' },
    cloudbaseInPlace: false,
    cloudbaseStart: undefined,
    cloudbaseTexts: Object.entries(cloudbaseFiles(config, layout)).map(([path, content]) => newText(path, content)),
    copies: ownPrograms(config.role, node, worker).map((to) => ({
      from: executable,
      to,
      sha256: '',
      installedSha256: undefined,
    })),
    features: [{ feature: CONTAINERS_FEATURE, wasOn: false }],
    registry: registrySettings(config.system, layout),
    searchFolders: searchFolders(layout, worker),
    provenance: newText(layout.provenance, provenanceText(provenance)),
  };
}

function newText(path: string, content: string): WantedText {
  return { path, content, isCurrent: false, replacedSha256: undefined };
}
