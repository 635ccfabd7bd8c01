import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  digestIfAny,
  digestOf,
  type Firewall,
  type FirewallRule,
  missingFolders,
  type NodeLayout,
  type ServiceSpec,
  type ServiceStatus,
  type WorkerLayout,
} from '@fenestra/platform';
import { hasDigest, type ProgramSource } from '@fenestra/releases';
import { programPath, type WorkerMachine } from '../machine/gather-machine.ts';
import { KUBELET_PORT } from '../preflight/gather-preflight.ts';
import {
  BLANK_RECORD,
  type FoundNetworks,
  type Membership,
  type PlacedProgram,
  type WorkerRecord,
} from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

interface Preparation {
  readonly machine: WorkerMachine;
  readonly sources: readonly ProgramSource[];
  /** Folders that are needed besides those of the programs. */
  readonly folders: readonly string[];
  /** Folders that another step makes, but that are to be remembered. */
  readonly claimed: readonly string[];
  /** The cluster the machine is about to be a worker of; left out to leave that as it is. */
  readonly membership?: Membership;
  readonly found?: FoundNetworks;
}

/** Looks at what is missing of a worker's parts and changes nothing. */
export async function gatherPrepareFacts(session: WorkerSession, wanted: Preparation): Promise<PrepareFacts> {
  const { machine, sources } = wanted;
  const { layout, record: old } = machine;
  const programs = await Promise.all(sources.map(async (source) => lookAt(source, machine)));
  const firewall = (await isRuleInForce(session.ports.firewall, old)) === false ? KUBELET_RULE : undefined;
  const needed = [layout.programFolder, dirname(layout.hostExecutable), ...wanted.folders];
  const folders = await allMissing([...needed, ...wanted.claimed]);
  const record = nextRecord(old ?? BLANK_RECORD, { ...wanted, programs, firewall, folders });
  const replacedRecordSha256 = (await digestIfAny(layout.recordFile)) ?? undefined;
  return {
    layout,
    node: session.layout,
    programs,
    host: {
      path: session.executable,
      sha256: await digestOf(session.executable),
      installedSha256: (await digestIfAny(layout.hostExecutable)) ?? undefined,
    },
    missingFolders: needed.filter((folder) => folders.includes(folder)),
    spec: machine.wantedSpec,
    service: machine.service,
    registered: machine.registered,
    firewall,
    record,
    recorded: isDeepStrictEqual(record, old),
    replacedRecordSha256,
  };
}

/** The record of a machine that has got what is wanted, beside what it had. */
export function nextRecord(
  old: WorkerRecord,
  made: {
    readonly programs: readonly WantedProgram[];
    readonly firewall: FirewallRule | undefined;
    readonly folders: readonly string[];
    readonly membership?: Membership;
    readonly found?: FoundNetworks;
  },
): WorkerRecord {
  const placed = made.programs.filter(({ inPlace }) => !inPlace).map(placedProgram);
  const kept = old.programs.filter(({ name }) => !placed.some((program) => program.name === name));
  return {
    form: 1,
    programs: [...kept, ...placed],
    folders: [...new Set([...old.folders, ...made.folders])],
    firewallRule: made.firewall?.name ?? old.firewallRule,
    cluster: made.membership ?? old.cluster,
    found: made.found ?? old.found,
  };
}

function placedProgram({ source: { name, version, digest }, to: path }: WantedProgram): PlacedProgram {
  return { name, path, version, digest };
}

async function lookAt(source: ProgramSource, { layout, programs }: WorkerMachine): Promise<WantedProgram> {
  const to = programPath(layout, source.name);
  const replacedSha256 = programs.find(({ name }) => name === source.name)?.sha256;
  const inPlace =
    source.digest.algorithm === 'sha256' ? source.digest.hex === replacedSha256 : await hasDigest(to, source.digest);
  return { source, to, inPlace, replacedSha256 };
}

/** Every folder that is not there, with its parents, each once and before what is below it. */
async function allMissing(folders: readonly string[]): Promise<readonly string[]> {
  return [...new Set((await Promise.all(folders.map(missingFolders))).flat())];
}

interface WantedProgram {
  readonly source: ProgramSource;
  readonly to: string;
  readonly inPlace: boolean;
  readonly replacedSha256: string | undefined;
}

/** What every plan that puts a worker's parts in place is made from. */
export interface PrepareFacts {
  readonly layout: WorkerLayout;
  readonly node: Pick<NodeLayout, 'downloadsFolder' | 'guardExecutable'>;
  readonly programs: readonly WantedProgram[];
  /** The program that the kubelet's service starts: the one that runs right now. */
  readonly host: { readonly path: string; readonly sha256: string; readonly installedSha256: string | undefined };
  readonly missingFolders: readonly string[];
  readonly spec: ServiceSpec;
  readonly service: ServiceStatus;
  readonly registered: boolean;
  /** The rule that lets the API server in; `undefined` where it is open, or where there is no firewall of ours to tell. */
  readonly firewall: FirewallRule | undefined;
  /** The record as it has to be afterwards, and whether it is so already. */
  readonly record: WorkerRecord;
  readonly recorded: boolean;
  readonly replacedRecordSha256: string | undefined;
}

/** Lets the API server reach the kubelet. */
export const KUBELET_RULE: FirewallRule = {
  name: 'fenestra-kubelet',
  description: 'Lets the Kubernetes API server reach the kubelet of this worker',
  protocol: 'tcp',
  port: KUBELET_PORT,
};

/**
 * Whether the rule is in force; `undefined` where there is no firewall of ours to tell. What the system does not say is
 * believed if it was made before.
 */
export async function isRuleInForce(
  firewall: Firewall,
  record: Pick<WorkerRecord, 'firewallRule'> | undefined,
): Promise<boolean | undefined> {
  if (!firewall.managed) return undefined;
  const state = await firewall.state(KUBELET_RULE);
  return state === 'open' || (state === 'unknown' && record?.firewallRule === KUBELET_RULE.name);
}
