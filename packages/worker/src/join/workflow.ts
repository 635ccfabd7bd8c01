import type { Phase } from '@fenestra/kernel';
import { createFolders } from '../prepare/phases/create-folders.ts';
import { forgetPrevious } from '../prepare/phases/forget-previous.ts';
import { openFirewall } from '../prepare/phases/open-firewall.ts';
import { placeHost } from '../prepare/phases/place-host.ts';
import { placePrograms } from '../prepare/phases/place-programs.ts';
import { registerService } from '../prepare/phases/register-service.ts';
import { writeRecord } from '../prepare/phases/write-record.ts';
import type { KubeJoinFacts } from './join-facts.ts';
import { claimFolders } from './phases/claim-folders.ts';
import { forgetBootstrap } from './phases/forget-bootstrap.ts';
import { getIdentity } from './phases/get-identity.ts';
import { markNode } from './phases/mark-node.ts';
import { proveKubelet } from './phases/prove-kubelet.ts';
import { startKubelet } from './phases/start-kubelet.ts';
import { stopForChange } from './phases/stop-for-change.ts';
import { writeConfiguration } from './phases/write-configuration.ts';

/** Whatever fails before the token is forgotten leads back to the machine as it was. */
export const KUBE_JOIN: readonly Phase<KubeJoinFacts>[] = [
  createFolders,
  claimFolders,
  stopForChange,
  placePrograms,
  placeHost,
  writeConfiguration,
  getIdentity,
  registerService,
  openFirewall,
  startKubelet,
  proveKubelet,
  markNode,
  writeRecord,
  forgetBootstrap,
  forgetPrevious,
];
