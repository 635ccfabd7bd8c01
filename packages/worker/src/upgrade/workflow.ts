import type { Phase } from '@fenestra/kernel';
import { armGuard } from './phases/arm-guard.ts';
import { backUpVersion } from './phases/back-up-version.ts';
import { drain } from './phases/drain.ts';
import { exchangePrograms } from './phases/exchange-programs.ts';
import { fetchPrograms } from './phases/fetch-programs.ts';
import { markNode } from './phases/mark-node.ts';
import { proveVersion } from './phases/prove-version.ts';
import { recordVersion } from './phases/record-version.ts';
import { tidyUp } from './phases/tidy-up.ts';
import { uncordon } from './phases/uncordon.ts';
import type { KubeUpgradeFacts } from './upgrade-facts.ts';

/** Every failure up to the record leads back to the old version; the guard sees to it if this command cannot. */
export const KUBE_UPGRADE: readonly Phase<KubeUpgradeFacts>[] = [
  fetchPrograms,
  backUpVersion,
  armGuard,
  drain,
  exchangePrograms,
  proveVersion,
  markNode,
  recordVersion,
  uncordon,
  tidyUp,
];
