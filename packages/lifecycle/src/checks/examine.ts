import type { NamedFinding } from '@fenestra/session';
import { agentService } from './agent-service.ts';
import { architecture } from './architecture.ts';
import { containerRuntime } from './container-runtime.ts';
import { disk } from './disk.ts';
import { elevated } from './elevated.ts';
import type { CheckFacts } from './facts.ts';
import { guard } from './guard.ts';
import { hostName } from './host-name.ts';
import { journal } from './journal.ts';
import { leftoverState } from './leftover-state.ts';
import { memory } from './memory.ts';
import { nodeRights } from './node-rights.ts';
import { osVersion } from './os-version.ts';
import { ports } from './ports.ts';
import { rights } from './rights.ts';
import { serviceManager } from './service-manager.ts';
import { time } from './time.ts';
import type { Check } from './check.ts';

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
  nodeRights,
  agentService,
  guard,
  journal,
];

/** The names of all checks, in the order in which they are made. */
export const CHECK_NAMES: readonly string[] = CHECKS.map(({ name }) => name);

/** Asks the checks of these names, or every one. */
export function examine(facts: CheckFacts, names: readonly string[] = CHECK_NAMES): readonly NamedFinding[] {
  const asked = CHECKS.filter(({ name }) => names.includes(name));
  return asked.map((check) => ({ name: check.name, ...check.judge(facts) }));
}
