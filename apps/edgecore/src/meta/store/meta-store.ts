import type { KindAddress } from '../kube-object.ts';
import type { Edition } from '../precedence.ts';

/** A row of table `meta`: the key is a wire resource string, the value what came under it. */
export interface MetaRecord {
  readonly key: string;
  readonly type: string;
  readonly value: string;
}

/** A row of table `meta_v2`: an object addressed as the Kubernetes API does. Cluster-wide objects have namespace ''. */
export interface ObjectRecord {
  readonly kind: KindAddress;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: bigint;
  readonly value: string;
}

/** A message that waits for the cloud. Entries with the same key replace each other. */
export interface WaitingMessage {
  readonly sequence: number;
  readonly key: string;
  readonly message: string;
}

/** A row of table `fenestra_pod`: what the agent remembers of a pod that it runs, as JSON text. */
export interface StoredPodRecord {
  readonly uid: string;
  readonly value: string;
}

/** A row of table `fenestra_pod_token`: a token that a pod was given, as JSON text. It is a secret. */
export interface StoredPodToken {
  readonly uid: string;
  /** Tells the tokens of one pod apart. */
  readonly name: string;
  readonly value: string;
}

/**
 * The node's memory: one SQLite file with upstream's tables and some of our own.
 * What a method or a transaction wrote is on the disk when it returns, and survives a kill at any moment.
 * Failures are catalogue errors.
 */
export interface MetaStore {
  /** Runs `work` in one transaction: all of it happens, or nothing. */
  transaction<T>(work: () => T): T;
  getMeta(key: string): MetaRecord | undefined;
  listMetas(type: string): readonly MetaRecord[];
  putMeta(record: MetaRecord): void;
  deleteMeta(key: string): void;
  getObject(kind: KindAddress, namespace: string, name: string): ObjectRecord | undefined;
  /** Every object of a kind, in all namespaces unless one is given, in the order of their keys. */
  listObjects(kind: KindAddress, namespace?: string): readonly ObjectRecord[];
  putObject(record: ObjectRecord): void;
  deleteObject(kind: KindAddress, namespace: string, name: string): void;
  /** The kinds there is at least one object of. */
  storedKinds(): readonly KindAddress[];
  /** The last known edition of what was deleted under this wire resource string, if it is not too long ago. */
  getDeletion(key: string): Edition | undefined;
  putDeletion(key: string, edition: Edition): void;
  forgetDeletion(key: string): void;
  /** Queues a message behind all others and returns how many old ones had to go to make room. */
  putWaiting(key: string, message: string): number;
  /** The longest waiting message. */
  firstWaiting(): WaitingMessage | undefined;
  countWaiting(): number;
  /** Takes out exactly this entry: one that has replaced it in the meantime stays. */
  removeWaiting(entry: WaitingMessage): void;
  listPodRecords(): readonly StoredPodRecord[];
  putPodRecord(record: StoredPodRecord): void;
  /** With the tokens of the pod. */
  deletePodRecord(uid: string): void;
  getPodToken(uid: string, name: string): StoredPodToken | undefined;
  putPodToken(token: StoredPodToken): void;
  close(): void;
}
