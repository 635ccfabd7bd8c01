import type { Check, Finding } from './check.ts';
import { architecture } from './checks/architecture.ts';
import { containerRuntime } from './checks/container-runtime.ts';
import { disk } from './checks/disk.ts';
import { elevated } from './checks/elevated.ts';
import { hostName } from './checks/host-name.ts';
import { journal } from './checks/journal.ts';
import { leftoverState } from './checks/leftover-state.ts';
import { memory } from './checks/memory.ts';
import { osVersion } from './checks/os-version.ts';
import { ports } from './checks/ports.ts';
import { rights } from './checks/rights.ts';
import { serviceManager } from './checks/service-manager.ts';
import { time } from './checks/time.ts';
import type { DoctorFacts } from './facts.ts';

/** From what the machine is to what was done to it. */
const CHECKS: readonly Check[] = [
  elevated,
  osVersion,
  architecture,
  memory,
  disk,
  time,
  hostName,
  serviceManager,
  containerRuntime,
  ports,
  leftoverState,
  rights,
  journal,
];

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  readonly name: string;
}

/** Asks every check. */
export function examine(facts: DoctorFacts): readonly NamedFinding[] {
  return CHECKS.map((check) => ({ name: check.name, ...check.judge(facts) }));
}
