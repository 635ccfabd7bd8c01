import { readFile } from 'node:fs/promises';
import { KUBELET_TARGET, type Patch } from '@fenestra/contracts/kube';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { PROGRAM_NAMES } from '@fenestra/releases';
import * as z from 'zod/mini';

const PlacedProgram = z.object({
  name: z.enum(PROGRAM_NAMES),
  path: z.string(),
  version: z.string(),
  digest: z.object({ algorithm: z.enum(['sha256', 'sha512']), hex: z.string() }),
});
export type PlacedProgram = z.infer<typeof PlacedProgram>;

const KeptPatch = z.object({
  source: z.string(),
  target: z.string(),
  type: z.enum(['strategic', 'merge', 'json']),
  content: z.unknown(),
});

const Membership = z.object({
  nodeName: z.string(),
  /** Where the operator said that the cluster is; empty where a file said it. */
  endpoint: z.string(),
  /** `https://host:port`, as the cluster says itself. */
  server: z.string(),
  /** The SHA-256 of the cluster's CA file, by which it is distinguished from another. */
  caSha256: z.string(),
  criSocket: z.string(),
  /** What is laid over the kubelet's configuration whenever it is made again; left out where nothing is. */
  patches: z.exactOptional(z.readonly(z.array(KeptPatch))),
});
/** The cluster a machine is a worker of. */
export type Membership = z.infer<typeof Membership>;

const Names = z.readonly(z.array(z.string()));
const Found = z.object({
  /** The ids of the system's networks for containers. */
  networks: Names,
  cniConfigs: Names,
});
/** What was there of networks for pods before the machine joined, and so is not the cluster's. */
export type FoundNetworks = z.infer<typeof Found>;

const WorkerRecord = z.object({
  form: z.literal(1),
  /** The programs that keadm placed. */
  programs: z.readonly(z.array(PlacedProgram)),
  /** The folders that were not there before. */
  folders: z.readonly(z.array(z.string())),
  /** The name of the firewall rule that keadm made. */
  firewallRule: z.nullable(z.string()),
  /** `null` on a machine that is prepared and has not joined. */
  cluster: z.nullable(Membership),
  found: z.nullable(Found),
});
/** What keadm remembers of a worker: what it made, and for which cluster. Nothing of it is secret. */
export type WorkerRecord = z.infer<typeof WorkerRecord>;

/** The record of a machine that nothing was done to. */
export const BLANK_RECORD: WorkerRecord = {
  form: 1,
  programs: [],
  folders: [],
  firewallRule: null,
  cluster: null,
  found: null,
};

/** The record as its file holds it. The same record is always the same text. */
export function recordText({ form, programs, folders, firewallRule, cluster, found }: WorkerRecord): string {
  return `${JSON.stringify({ form, programs, folders, firewallRule, cluster, found }, undefined, 2)}\n`;
}

/** What keadm remembers; `undefined` where it remembers nothing. */
export async function readRecord(path: string): Promise<WorkerRecord | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read the record of the worker "${path}"`);
  });
  return text === undefined ? undefined : parseRecord(text, path);
}

/** Reads a record back. What someone has changed is not guessed at. */
export function parseRecord(text: string, path: string): WorkerRecord {
  try {
    return WorkerRecord.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('CONFIG_INVALID', `Cannot understand the record of the worker in "${path}"`, {
      hint: 'Restore it from a backup, or move it away: keadm then treats the worker as not made by keadm.',
      cause,
    });
  }
}

/** The part of patches that a worker remembers: others are for a control plane. */
export function keptPatches(patches: readonly Patch[]): Pick<Membership, 'patches'> {
  const kept = patches.filter(({ target }) => target === KUBELET_TARGET);
  return kept.length === 0 ? {} : { patches: kept };
}
