import type { CloudcoreConfig } from '@fenestra/contracts';
import type { KubeApi } from '@fenestra/kube-api';
import type { SecretStore } from '@fenestra/lifecycle/cloud';
import type { Logger } from '@fenestra/platform';
import type { Authority } from './certificates/authority.ts';
import type { RevokedNodes } from './certificates/revoked-nodes.ts';

/** What a cloud is made with. */
export interface CloudOptions {
  readonly api: KubeApi;
  /** The configuration in effect; a reload may change it. */
  readonly config: () => CloudcoreConfig;
  readonly projects: readonly string[];
  readonly log: Logger;
  readonly now: () => Date;
}

/** What every part of a cloud can use. `life` ends with the cloud. */
export interface CloudBase extends CloudOptions {
  readonly store: SecretStore;
  readonly authority: Authority;
  /** Who is revoked, as of the last change that was seen; for every server that nodes connect to. */
  readonly revoked: RevokedNodes;
  readonly life: AbortController;
}
