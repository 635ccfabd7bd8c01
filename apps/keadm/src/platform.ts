import type { ExecutionEvent } from '@fenestra/kernel';
import type * as cloudTools from '@fenestra/lifecycle/cloud';
import type {
  AccessControl,
  ContainerNetworks,
  FileStore,
  Firewall,
  Host,
  NodeLayout,
  Scripts,
  ServiceManager,
  SystemSetup,
  WorkerHostFacts,
  WorkerLayout,
} from '@fenestra/platform';
import type * as clusterTools from '@fenestra/worker/cluster';
import type * as manifestTools from '@fenestra/worker/manifests/apply';

/** The operating system, as keadm sees it. Loaded only by commands that need it. */
export interface KeadmPlatform {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly layout: NodeLayout;
  readonly workerLayout: WorkerLayout;
  readonly services: ServiceManager;
  readonly scripts: Scripts;
  readonly firewall: Firewall;
  readonly networks: ContainerNetworks;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
  /** `undefined` where the system has none that images could be made with. */
  readonly setup: SystemSetup | undefined;
  /** Where things are on a Windows machine, whatever this one is: images are made of Windows alone. */
  readonly windows: WindowsLayouts;
}

/** Where a node and a worker are on Windows. */
export interface WindowsLayouts {
  readonly layout: NodeLayout;
  readonly workerLayout: WorkerLayout;
}

/** What keadm is and where it runs: given by the executable that carries it. */
export interface KeadmEnvironment {
  readonly version: string;
  readonly commit: string;
  /** When the commit was made; a clock that is behind it is wrong. */
  readonly commitTime: string;
  /** Public keys, in PEM form, of anyone who signs releases. */
  readonly trustKeys: readonly string[];
  /** This program's own file. */
  readonly executable: string;
  /** How this program starts itself: its own file, and whatever has to come before its words. */
  readonly ownCommand: readonly string[];
  readonly now: () => Date;
  /** `root` puts the whole node below another folder, managed by our own supervisor. */
  readonly loadPlatform: (root: string | undefined) => Promise<KeadmPlatform>;
  /** What makes a cloud and asks it: it carries a whole Kubernetes client, so it is loaded only when needed. */
  readonly loadCloud: () => Promise<CloudTools>;
  /** Sees every event of a run, as the progress lines do. */
  readonly onEvent: (event: ExecutionEvent) => void;
  /** The environment variables keadm was started with. Some may hold secrets. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Reads standard input until it ends: where a secret comes from that must not stand in the process list. */
  readonly readInput: () => Promise<string>;
  /** The same, byte by byte: as a text it would lose a byte order mark, and gzip would be spoilt. */
  readonly readInputBytes: () => Promise<Uint8Array>;
  /** The standard streams, for a program whose input and output pass through. */
  readonly streams: () => PassingStreams;
  /** Fires when the operator interrupts the command. */
  readonly signal: AbortSignal;
  /** Fires when the operator interrupts it again. Who asks for it keeps the second time from ending the process. */
  readonly secondInterruption: () => AbortSignal;
  readonly terminal: Terminal;
}

/** The part of keadm that makes a cloud and talks to it, or to a plain Kubernetes cluster. */
export type CloudTools = Pick<
  typeof cloudTools,
  'adminKubeconfig' | 'initCloud' | 'openCloudAdmin' | 'openNodeCloud' | 'planCloud'
> &
  Pick<typeof clusterTools, 'discoverCluster' | 'openWorkerCluster'> &
  Pick<typeof manifestTools, 'openManifestCluster'>;

/**
 * Where output goes. Results go to `out`, progress and errors to `err`. Both write text: characters that a terminal would
 * act on are shown as escapes, wherever they come from.
 */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a write to `out` has shown that no one reads it any more. */
  readonly outClosed?: boolean;
  /** What `err` is shown on; left out where that is not a terminal. */
  readonly screen?: TerminalScreen | undefined;
  /** Asks the operator and returns the answer; left out where no one sits at the terminal. */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
}

/** The standard streams byte by byte, as they are. A write waits while its reader is slow, and rejects if it fails. */
export interface PassingStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly out: (bytes: Uint8Array) => Promise<void>;
  readonly err: (bytes: Uint8Array) => Promise<void>;
  /** Left out unless input and output are a terminal. */
  readonly terminal?: PassingTerminal | undefined;
}

/** The terminal of the operator, for a program that runs elsewhere. */
export interface PassingTerminal {
  /** Passes every key on, Ctrl-C as well, while the work runs. */
  inRawMode<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The present size, and every later one. */
  sizes(): AsyncIterable<{ readonly columns: number; readonly rows: number }>;
}

/** A terminal that can be drawn on. */
export interface TerminalScreen {
  /** Writes escape sequences as they are. What is drawn must have been cleaned. */
  readonly draw: (text: string) => void;
  /** As it is now: someone may change it. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly colours: boolean;
}
