import type { FirewallRule, ServiceSpec, ServiceStatus, StartType, WorkerLayout } from '@fenestra/platform';
import type { Check } from '@fenestra/session';
import type { ImageConfig } from '../image/config.ts';
import type { Provenance } from '../provision/downloads.ts';
import type { ImageLayout, ProvisionFacts } from '../provision/provision-facts.ts';
import type { FoundSecret } from './left-behind.ts';

/** One property that an image must have, judged by what was found. */
export type ImageCheck = Check<ImageState>;

/** What to do about most of what can be wrong. */
export const PROVISION_AGAIN = 'Run "keadm image provision" again, and find what changes it afterwards.';

/** A service as it is registered and as it is right now. */
export interface FoundService {
  readonly spec: ServiceSpec | undefined;
  readonly status: ServiceStatus;
}

/** A program that must be there. */
export interface FoundProgram {
  readonly name: string;
  readonly path: string;
  readonly wantedSha256: string;
  readonly sha256: string | undefined;
}

/** A rule that must let traffic in. */
export interface FoundRule {
  readonly rule: FirewallRule;
  readonly state: 'open' | 'closed' | 'unknown';
}

/** A service by which people come in from elsewhere. */
export interface FoundRemoteService {
  readonly name: string;
  /** `undefined` where there is no such service. */
  readonly startType: StartType | undefined;
}

/** Who may touch a folder. */
export interface FoundRights {
  readonly path: string;
  readonly problems: readonly string[];
}

/** A machine as it is found, as far as the test of an image wants to know it. */
export interface ImageState {
  readonly config: ImageConfig;
  readonly layout: ImageLayout;
  readonly worker: WorkerLayout;
  /** What a run of the provisioning would look at: whatever it would still change is missing. */
  readonly facts: ProvisionFacts;
  readonly provenance: Provenance | undefined;
  readonly containerd: FoundService;
  /** As it says itself; `undefined` if it is not in place or says nothing. */
  readonly containerdVersion: string | undefined;
  readonly kubelet: FoundService;
  readonly cloudbase: FoundService;
  readonly cloudbaseConf: string | undefined;
  readonly programs: readonly FoundProgram[];
  /** The build number of Windows; `undefined` where it is not Windows. */
  readonly build: number | undefined;
  readonly hasContainers: boolean | undefined;
  readonly rules: readonly FoundRule[];
  readonly remoteServices: readonly FoundRemoteService[];
  readonly rights: readonly FoundRights[];
  readonly secrets: readonly FoundSecret[];
  /** The names of values of the registry that log someone in by themselves. */
  readonly autoLogon: readonly string[];
  readonly leftovers: readonly string[];
}
