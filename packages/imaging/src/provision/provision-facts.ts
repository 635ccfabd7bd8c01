import type {
  Firewall,
  NodeLayout,
  ServiceSpec,
  ServiceState,
  StartType,
  SystemSetup,
  WorkerHostFacts,
  WorkerLayout,
} from '@fenestra/platform';
import type { NodeSession, StepPorts } from '@fenestra/session';
import type { ImageConfig } from '../image/config/schema.ts';
import type { ImageDownload } from './downloads.ts';
import type { ImageLayout } from './image-layout.ts';
import type { RegistrySetting } from './image-parts.ts';

/** What the steps of an image's making work with. */
export interface ImagePorts extends StepPorts {
  readonly setup: SystemSetup;
  readonly firewall: Firewall;
}

/** The machine that becomes an image, as a command works on it. */
export interface ImageSession extends NodeSession {
  readonly ports: ImagePorts;
  readonly worker: WorkerLayout;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
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
  /** Those that are not as wanted. */
  readonly registry: readonly RegistrySetting[];
  readonly searchFolders: readonly string[];
  readonly provenance: WantedText;
}
