import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, pause, type KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import {
  draftRecord,
  recordKindOf,
  recordNameOf,
  statusOfRecord,
  type RecordedObject,
  type SyncRecord,
} from './record-book.ts';

/** Writes down what nodes acknowledge. Later news about the same object replaces earlier: one write tells all. */
export interface RecordWriter {
  /** The node has this version of the object; "0" if it is about to hear of it. */
  acknowledged(node: string, object: RecordedObject, version: string): void;
  /** The node no longer has the object, or there is no such node any more. */
  forgotten(node: string, object: RecordedObject): void;
  /** A version that is still to be written; undefined if nothing is. */
  pendingVersion(node: string, uid: string): string | undefined;
  readonly pending: number;
  /** Waits until everything is written, or the signal aborts. */
  drain(signal: AbortSignal): Promise<void>;
  /** Resolves when the writer has stopped after the signal aborted. */
  readonly stopped: Promise<void>;
}

/** Who knows which records exist, so that they need not be asked for. */
export interface KnownRecords {
  find(node: string, uid: string): SyncRecord | undefined;
}

interface Entry {
  readonly node: string;
  readonly object: RecordedObject;
  /** Undefined: the record goes. */
  readonly version: string | undefined;
}

const WRITERS = 8;
const MAX_PENDING = 100_000;
const DRAIN_LOOK_MS = 20;

/** Starts the writer. It goes on through outages of the API server and drops what cannot be written at all. */
export function startRecordWriter(api: KubeApi, known: KnownRecords, log: Logger, signal: AbortSignal): RecordWriter {
  const queue = new Map<string, Entry>();
  const busy = new Map<string, Entry>();
  const drained = Promise.withResolvers<void>();
  let failures = 0;
  const run = async (key: string, entry: Entry): Promise<void> => {
    const written = await tryWrite(api, known, entry, log, signal);
    failures = written ? 0 : failures + 1;
    if (!written) await pause(jitteredBackoff(Math.ceil(failures / WRITERS)), signal);
    busy.delete(key);
    if (!written && !queue.has(key)) queue.set(key, entry);
  };
  const pump = (): void => {
    for (const [key, entry] of queue) {
      if (busy.size >= WRITERS || signal.aborted) break;
      if (busy.has(key)) continue;
      queue.delete(key);
      busy.set(key, entry);
      void run(key, entry).finally(pump);
    }
    if (signal.aborted && busy.size === 0) drained.resolve();
  };
  const add = (entry: Entry): void => {
    queue.set(keyOf(entry.node, entry.object.uid), entry);
    if (queue.size > MAX_PENDING) dropOldest(queue, log);
    pump();
  };
  signal.addEventListener('abort', pump, { once: true });
  return {
    acknowledged: (node, object, version) => add({ node, object, version }),
    forgotten: (node, object) => add({ node, object, version: undefined }),
    pendingVersion: (node, uid) => (queue.get(keyOf(node, uid)) ?? busy.get(keyOf(node, uid)))?.version,
    get pending() {
      return queue.size + busy.size;
    },
    async drain(during) {
      while (queue.size + busy.size > 0 && !during.aborted && !signal.aborted) await pause(DRAIN_LOOK_MS, during);
    },
    stopped: drained.promise,
  };
}

function keyOf(node: string, uid: string): string {
  return `${node}/${uid}`;
}

/** A record that is lost costs no more than a second delivery of its object. */
function dropOldest(queue: Map<string, Entry>, log: Logger): void {
  const oldest = queue.keys().next().value;
  if (oldest !== undefined) queue.delete(oldest);
  log.warn('too many records wait for the Kubernetes API: the oldest was dropped', { limit: MAX_PENDING });
}

/** False if it is worth another try. */
async function tryWrite(
  api: KubeApi,
  known: KnownRecords,
  entry: Entry,
  log: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await write(api, known, entry, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const code = error instanceof OperatorError ? error.code : 'unknown';
    const hopeless = code === 'API_FORBIDDEN' || code === 'API_REFUSED' || code === 'API_NOT_FOUND';
    log.warn('a record of what a node has was not written', { node: entry.node, uid: entry.object.uid, code });
    return hopeless;
  }
}

async function write(api: KubeApi, known: KnownRecords, entry: Entry, signal: AbortSignal): Promise<void> {
  const { node, object, version } = entry;
  const kind = recordKindOf(object);
  const name = recordNameOf(node, object);
  if (version === undefined) return await ignore('API_NOT_FOUND', api.delete(kind, name, {}, signal));
  const note = () =>
    api.patch(kind, name, { type: 'merge', body: statusOfRecord(version), subresource: 'status' }, signal);
  const exists = known.find(node, object.uid) !== undefined;
  if (exists && (await found(note()))) return;
  await ignore('API_CONFLICT', api.create(kind, draftRecord(node, object), signal));
  await note();
}

async function found(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'API_NOT_FOUND') return false;
    throw error;
  }
}

async function ignore(code: 'API_NOT_FOUND' | 'API_CONFLICT', request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === code)) throw error;
  }
}
