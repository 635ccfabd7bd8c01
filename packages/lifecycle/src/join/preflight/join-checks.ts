import type { DiskFacts } from '@fenestra/platform';
import { type Check, type Finding, type NamedFinding, runChecks } from '@fenestra/session';
import { clock, disk, leftoverState, memory, nodeName, osVersion, ports } from '@fenestra/session/checks';
import { architecture, cloud, serviceManager } from '../../checks/machine.ts';
import { POD_CHECKS } from '../../checks/pod-checks.ts';
import type { MachineFacts } from '../../checks/facts.ts';

/** What a machine is judged by before it joins. */
export interface JoiningMachine {
  readonly machine: MachineFacts;
  readonly nodeName: string;
  /** The disk that the program goes to. */
  readonly programDisk: DiskFacts;
  readonly programBytes: number;
  /** Identity, data or configuration of another node. */
  readonly leftovers: readonly string[];
}

/** What the cloud is judged by, where it is asked. */
export interface CloudFindings {
  readonly cloud: Finding;
  readonly token: Finding;
  readonly cloudClock: Finding;
  readonly nameInCloud: Finding;
}

/** Configuration, certificates, journal and a young database. */
const REST_BYTES = 64 * 1024 ** 2;

const token: Check<Pick<CloudFindings, 'token'>> = {
  name: 'token',
  about: 'the join token is valid, and is for this node and this cloud',
  judge: ({ token: found }) => found,
};

const MACHINE: readonly Check<MachineFacts>[] = [
  osVersion,
  architecture,
  memory,
  clock,
  serviceManager,
  ...POD_CHECKS,
  ports,
  disk,
  leftoverState,
];
const CLOUD: readonly Check<CloudFindings & Pick<JoiningMachine, 'nodeName'> & Pick<MachineFacts, 'host'>>[] = [
  cloud,
  token,
  nodeName,
];

/** The checks of `keadm join`, each of which can be waived. */
export const JOIN_CHECKS: readonly Pick<Check<never>, 'name' | 'about'>[] = [...MACHINE, ...CLOUD];

/** Makes the checks before a join; without findings about the cloud, those of the machine alone. */
export function runJoinChecks(
  { machine, nodeName: name, programDisk, programBytes, leftovers }: JoiningMachine,
  found: CloudFindings | undefined,
): readonly NamedFinding[] {
  // The program is copied before it takes its place, so there has to be room for it twice.
  const space = { disk: programDisk, neededBytes: 2 * programBytes + REST_BYTES };
  const facts = { ...machine, space, leftovers };
  if (found === undefined) return runChecks(MACHINE, facts);
  return [...runChecks(MACHINE, { ...facts, ...found }), ...runChecks(CLOUD, { ...facts, ...found, nodeName: name })];
}
