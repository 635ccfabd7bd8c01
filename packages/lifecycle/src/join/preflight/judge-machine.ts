import { type DiskFacts, bytesText } from '@fenestra/platform';
import { type PreflightFinding, passed } from '@fenestra/session';
import { examine } from '../../checks/examine.ts';
import type { CheckFacts } from '../../checks/facts.ts';

/** What a machine is judged by before it joins. */
export interface MachineFacts {
  readonly checks: CheckFacts;
  /** The disk that the program goes to. */
  readonly programDisk: DiskFacts;
  readonly programBytes: number;
  /** Identity, data or configuration of another node. */
  readonly strangers: readonly string[];
}

const MEBIBYTE = 1024 * 1024;
/** Configuration, certificates, journal and a young database. */
const ROOM_FOR_THE_REST = 64 * MEBIBYTE;

/** Of the checks a doctor makes, those that matter here. Elevation was asked for before; disk and leftovers are ours. */
const DOCTORS = ['os-version', 'architecture', 'memory', 'time', 'service-manager', 'container-runtime', 'ports'];

/** The checks of the machine. */
export function judgeMachine(facts: MachineFacts): readonly PreflightFinding[] {
  return [...examine(facts.checks, DOCTORS).map(soften), judgeDisk(facts), judgeLeftovers(facts)];
}

/** The agent joins and reports without a container runtime; only its pods have to wait. */
function soften(finding: PreflightFinding): PreflightFinding {
  return finding.name === 'container-runtime' && finding.verdict === 'fail' ? { ...finding, verdict: 'warn' } : finding;
}

/** The program is copied before it takes its place, so there has to be room for it twice. */
function judgeDisk({ programDisk: { path, freeBytes }, programBytes }: MachineFacts): PreflightFinding {
  const needed = 2 * programBytes + ROOM_FOR_THE_REST;
  const reason = `${bytesText(freeBytes)} free at "${path}", ${bytesText(needed)} needed`;
  if (freeBytes >= needed) return passed('disk', reason);
  return { name: 'disk', verdict: 'fail', reason, remedy: `Free at least ${bytesText(needed)}.` };
}

function judgeLeftovers({ strangers }: MachineFacts): PreflightFinding {
  if (strangers.length === 0) return passed('leftover-state', 'Nothing is left of an earlier node');
  return {
    name: 'leftover-state',
    verdict: 'fail',
    reason: `An earlier node, ours or KubeEdge's, left ${strangers.map((path) => `"${path}"`).join(', ')}`,
    remedy: 'Look whether anything there is still needed, then run "keadm reset".',
  };
}

/** The names of these checks. */
export const MACHINE_CHECKS: readonly string[] = [...DOCTORS, 'disk', 'leftover-state'];
