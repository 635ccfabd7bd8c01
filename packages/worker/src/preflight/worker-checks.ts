import { type Check, type NamedFinding, runChecks } from '@fenestra/session';
import {
  clock,
  containerRuntime,
  disk,
  elevated,
  leftoverState,
  memory,
  nodeName,
  osVersion,
  ports,
} from '@fenestra/session/checks';
import { drives } from './checks/drives.ts';
import { features } from './checks/features.ts';
import { forwarding } from './checks/forwarding.ts';
import { kubeletVersion } from './checks/kubelet-version.ts';
import { networkService } from './checks/network-service.ts';
import { programs } from './checks/programs.ts';
import { service } from './checks/service.ts';
import { swap } from './checks/swap.ts';
import type { PreflightFacts } from './preflight-facts.ts';

type WorkerChecks = readonly Check<PreflightFacts>[];

/** What a machine must have in any case. */
const MACHINE: WorkerChecks = [
  elevated,
  osVersion,
  features,
  networkService,
  drives,
  memory,
  disk,
  clock,
  containerRuntime,
  programs,
];

/** The checks before a machine is prepared. */
export const PREPARE_CHECKS: WorkerChecks = [...MACHINE, leftoverState];
/** The checks before a machine joins. */
export const KUBE_JOIN_CHECKS: WorkerChecks = [
  ...MACHINE,
  swap,
  forwarding,
  ports,
  leftoverState,
  nodeName,
  kubeletVersion,
];
/** The checks before a change of version. */
export const KUBE_UPGRADE_CHECKS: WorkerChecks = [clock, containerRuntime, kubeletVersion];

/** Makes these checks, and the one that cannot be waived: a service of another owner is left alone. */
export function runWorkerChecks(facts: PreflightFacts, checks: WorkerChecks): readonly NamedFinding[] {
  return runChecks([...checks, service], facts);
}
