import { win32 } from 'node:path';
import type {
  Firewall,
  NodeLayout,
  ServiceSpec,
  ServiceState,
  StartType,
  SystemSetup,
  WorkerLayout,
} from '@fenestra/platform';
import type { NodeSession, StepPorts } from '@fenestra/session';
import type { ImageConfig } from '../image/config.ts';
import type { ImageDownload } from './downloads.ts';
import type { RegistrySetting } from './image-parts.ts';

interface ImagePorts extends StepPorts {
  readonly setup: SystemSetup;
  readonly firewall: Firewall;
}

/** The machine that becomes an image, as a command works on it. */
export interface ImageSession extends NodeSession {
  readonly ports: ImagePorts;
  readonly worker: WorkerLayout;
}

/** A text that a file must be. */
export interface WantedText {
  readonly path: string;
  readonly content: string;
  readonly isCurrent: boolean;
  /** Digest of what is replaced, if anything is. */
  readonly replacedSha256: string | undefined;
}

/** A service that must be registered. */
export interface WantedService {
  readonly spec: ServiceSpec;
  readonly isRegistered: boolean;
  readonly state: ServiceState;
}

/** A program of ours that an image carries. */
export interface WantedCopy {
  readonly from: string;
  readonly to: string;
  readonly sha256: string;
  readonly installedSha256: string | undefined;
}

/** A part of Windows that is to be switched on. */
export interface WantedFeature {
  readonly feature: string;
  /** Whether it is, or may be, on already; then it stays on if everything else is undone. */
  readonly wasOn: boolean;
}

/** What the plan of an image is made from. */
export interface ProvisionFacts {
  readonly config: ImageConfig;
  readonly layout: ImageLayout;
  readonly node: Pick<NodeLayout, 'downloadsFolder' | 'bookkeepingFolder' | 'programFolder'>;
  readonly worker: Pick<WorkerLayout, 'programFolder' | 'cniConfigFolder' | 'cniProgramFolder'>;
  /** Those that are not in the machine yet. */
  readonly downloads: readonly ImageDownload[];
  readonly missingFolders: readonly string[];
  readonly containerdInPlace: boolean;
  /** Whether a folder of containerd's programs is replaced. */
  readonly replacesContainerd: boolean;
  readonly containerdConfig: WantedText;
  readonly containerdService: WantedService;
  readonly cloudbaseInPlace: boolean;
  readonly cloudbaseStart: StartType | undefined;
  readonly cloudbaseTexts: readonly WantedText[];
  /** keadm, by the name that user-data calls it by, and the agent of an edge node. */
  readonly copies: readonly WantedCopy[];
  readonly features: readonly WantedFeature[];
  /** Those that are not up to date. */
  readonly registry: readonly RegistrySetting[];
  readonly searchFolders: readonly string[];
  readonly provenance: WantedText;
}

/** Where things are on the system drive of an image that are neither a node's nor a worker's alone. */
export interface ImageLayout {
  /** Holds containerd's programs and nothing else, so that it can be replaced as a whole. */
  readonly containerdFolder: string;
  readonly containerdConfig: string;
  readonly containerdRoot: string;
  readonly containerdState: string;
  readonly cloudbaseFolder: string;
  readonly cloudbaseConfig: string;
  readonly cloudbaseUnattendConfig: string;
  /** What Windows runs once, when it is set up. */
  readonly setupComplete: string;
  /** Where Cluster API has files written before a join, the token among them. */
  readonly bootstrapFolders: readonly string[];
  /** Where downloads stay until all of them are verified. */
  readonly stagingFolder: string;
  /** What the image is made of. */
  readonly provenance: string;
  /** `C:\`. */
  readonly root: string;
}

/** The layout on a drive such as `C:`; `bookkeeping` is the folder of keadm's own memory. */
export function imageLayout(drive: string, bookkeeping: string): ImageLayout {
  const root = `${drive}\\`;
  const below = (...names: readonly string[]): string => win32.join(root, ...names);
  const containerd = below('Program Files', 'containerd');
  const cloudbaseFolder = below('Program Files', 'Cloudbase Solutions', 'Cloudbase-Init');
  return {
    containerdFolder: win32.join(containerd, 'bin'),
    containerdConfig: win32.join(containerd, 'config.toml'),
    containerdRoot: below('ProgramData', 'containerd', 'root'),
    containerdState: below('ProgramData', 'containerd', 'state'),
    cloudbaseFolder,
    cloudbaseConfig: win32.join(cloudbaseFolder, 'conf', 'cloudbase-init.conf'),
    cloudbaseUnattendConfig: win32.join(cloudbaseFolder, 'conf', 'cloudbase-init-unattend.conf'),
    setupComplete: below('Windows', 'Setup', 'Scripts', 'SetupComplete.cmd'),
    bootstrapFolders: [below('run', 'kubeadm'), below('run', 'cluster-api')],
    stagingFolder: win32.join(bookkeeping, 'image-pieces'),
    provenance: win32.join(bookkeeping, 'image.json'),
    root,
  };
}

/** containerd's program. */
export function containerdProgram({ containerdFolder }: ImageLayout): string {
  return win32.join(containerdFolder, 'containerd.exe');
}
