import type { PreflightFinding } from '@fenestra/session';
import type { Check } from './check.ts';
import { clock } from './checks/clock.ts';
import { disk } from './checks/disk.ts';
import { drives } from './checks/drives.ts';
import { elevated } from './checks/elevated.ts';
import { existingNode } from './checks/existing-node.ts';
import { features } from './checks/features.ts';
import { forwarding } from './checks/forwarding.ts';
import { kubeletVersion } from './checks/kubelet-version.ts';
import { leftoverState } from './checks/leftover-state.ts';
import { memory } from './checks/memory.ts';
import { networkService } from './checks/network-service.ts';
import { nodeName } from './checks/node-name.ts';
import { osVersion } from './checks/os-version.ts';
import { port10250 } from './checks/port-10250.ts';
import { programs } from './checks/programs.ts';
import { runtime } from './checks/runtime.ts';
import { service } from './checks/service.ts';
import { swap } from './checks/swap.ts';
import type { PreflightFacts } from './preflight-facts.ts';

/** What a machine must be, whatever becomes of it. */
const MACHINE: readonly Check[] = [
  elevated,
  osVersion,
  features,
  networkService,
  drives,
  memory,
  disk,
  clock,
  runtime,
  programs,
];
/** What must be true right before a machine joins. */
const MEMBERSHIP: readonly Check[] = [
  swap,
  forwarding,
  port10250,
  leftoverState,
  nodeName,
  existingNode,
  kubeletVersion,
];

/** What nobody can waive: the operator of this command does not speak for the owner of another's service. */
const BINDING: readonly Check[] = [service];

/** The names of the checks before a machine is prepared that can be waived. */
export const PREPARE_CHECKS: readonly string[] = [...MACHINE, leftoverState].map(({ name }) => name);
/** The same before a join. */
export const KUBE_JOIN_CHECKS: readonly string[] = [...MACHINE, ...MEMBERSHIP].map(({ name }) => name);
/** The same before a change of version. */
export const KUBE_UPGRADE_CHECKS: readonly string[] = [runtime, clock, kubeletVersion].map(({ name }) => name);

/** Asks the checks of these names, and those that nobody can waive. */
export function examine(facts: PreflightFacts, names: readonly string[]): readonly PreflightFinding[] {
  const named = [...MACHINE, ...MEMBERSHIP].filter(({ name }) => names.includes(name));
  return [
    ...named.map((check) => ({ name: check.name, ...check.judge(facts) })),
    ...BINDING.map((check) => ({ name: check.name, ...check.judge(facts), binding: true as const })),
  ];
}
