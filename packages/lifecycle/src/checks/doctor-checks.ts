import { asWarning, type Check } from '@fenestra/session';
import { clock, disk, elevated, leftoverState, memory, nodeName, osVersion, ports } from '@fenestra/session/checks';
import { agentService } from './agent-service.ts';
import { architecture, cloud, serviceManager } from './machine.ts';
import { certificate } from './certificate.ts';
import type { CheckFacts } from './node-state.ts';
import { guard, journal } from './journal.ts';
import { POD_CHECKS } from './pod-checks.ts';
import { nodeRights, rights } from './rights.ts';

/** The checks of `keadm doctor`: of the machine, of the node on it, and of earlier work. */
export const DOCTOR_CHECKS: readonly Check<CheckFacts>[] = [
  elevated,
  osVersion,
  architecture,
  memory,
  disk,
  clock,
  serviceManager,
  ...POD_CHECKS,
  ports,
  asWarning(leftoverState),
  asWarning(nodeName),
  cloud,
  certificate,
  rights,
  nodeRights,
  agentService,
  guard,
  journal,
];
