import { parseJson } from '@fenestra/kernel';
import { type BackoffEntry, PodStatus } from '@fenestra/pods';
import * as z from 'zod/mini';
import type { NodeMemory } from '../meta/node-memory.ts';

const Backoff = z.object({ delayMs: z.number(), attemptedAt: z.number(), subject: z.string() });

const StoredRecord = z.object({
  startTime: z.number(),
  status: z.exactOptional(PodStatus),
  endingSince: z.exactOptional(z.number()),
  backoffs: z.record(z.string(), Backoff),
  toRestart: z.array(z.string()),
  restartNow: z.exactOptional(z.array(z.string())),
});

/** What the agent must remember of a pod across its own restarts. */
export interface PodRecord {
  /** When the agent accepted the pod, in milliseconds since 1970. */
  readonly startTime: number;
  /** The last status that it made. */
  readonly status?: PodStatus;
  readonly endingSince?: number;
  readonly backoffs: Readonly<Record<string, BackoffEntry>>;
  /** The ids of instances that were stopped to be started again. */
  readonly toRestart: readonly string[];
  /** The ids of instances that an administrator wants to be replaced. */
  readonly restartNow?: readonly string[];
}

/** The records of the pods of this node, on its disk. */
export interface PodRecords {
  get(uid: string): PodRecord | undefined;
  uids(): readonly string[];
  /** Writes a record if it differs from the one on the disk. */
  put(uid: string, record: PodRecord): void;
  delete(uid: string): void;
}

/** Reads the records; one that cannot be read counts as absent. */
export function podRecords({ podRecords: table }: Pick<NodeMemory, 'podRecords'>): PodRecords {
  const texts = new Map(table.listPodRecords().map(({ uid, value }) => [uid, value]));
  return {
    get: (uid) => StoredRecord.safeParse(parseJson(texts.get(uid) ?? '')).data,
    uids: () => [...texts.keys()],
    put(uid, record) {
      const value = JSON.stringify(record);
      if (texts.get(uid) === value) return;
      table.putPodRecord({ uid, value });
      texts.set(uid, value);
    },
    delete(uid) {
      if (!texts.delete(uid)) return;
      table.deletePodRecord(uid);
    },
  };
}
