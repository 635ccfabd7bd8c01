import type { FirewallRule, NodeLayout, ServiceStatus, ServiceSpec, WorkerLayout } from '@fenestra/platform';
import type { ProgramSource } from '@fenestra/releases';
import type { WorkerRecord } from '../record/worker-record.ts';

/** A program that is to be in its place. */
export interface WantedProgram {
  readonly source: ProgramSource;
  readonly to: string;
  readonly inPlace: boolean;
  /** Digest of what is replaced, if anything is. */
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
