import { GROUPS, type Message, newMessage, OPERATIONS, RESOURCE_TYPES, SOURCES } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { HubLink } from '../hub/hub-link.ts';
import { applyMessage } from './apply-message.ts';
import { changeFeed, type ChangeFeed } from './change-feed.ts';
import { asAnswerTo, type CloudAnswer, isNotFound, readAnswer } from './cloud-answer.ts';
import { placeOf, readStored } from './stored-object.ts';
import { type KindAddress, type KubeObject, parseKubeObject } from './kube-object.ts';
import type { Outbox } from './outbox.ts';
import type { MetaStore } from './store/meta-store.ts';

/**
 * What the node knows, and the way of the agent's modules to the cloud. It exists as long as the agent;
 * the database behind it is there while module `metaManager` runs, and using it in the meantime throws `SERVICE_FAILED`.
 */
export interface NodeMemory {
  readonly isOpen: boolean;
  readonly changes: ChangeFeed;
  get(kind: KindAddress, namespace: string, name: string): KubeObject | undefined;
  /** Every object of a kind, in all namespaces unless one is given. */
  list(kind: KindAddress, namespace?: string): readonly KubeObject[];
  /** The kinds there is at least one object of. */
  storedKinds(): readonly KindAddress[];
  /**
   * The object under a wire resource string: from disk while the cloud is away or where the cloud keeps the node's copy
   * up to date, else from the cloud. `undefined` if there is none.
   */
  query(resource: string, signal: AbortSignal): Promise<KubeObject | undefined>;
  /**
   * Asks the cloud and waits for its answer, by default as long as is configured; what it says of an object is kept.
   * Throws as `HubLink.request` does.
   */
  request(message: Message, timeoutMs: number | undefined, signal: AbortSignal): Promise<CloudAnswer>;
  /** What the agent remembers of the pods that it runs. */
  readonly podRecords: Pick<
    MetaStore,
    'deletePodRecord' | 'getPodToken' | 'listPodRecords' | 'putPodRecord' | 'putPodToken'
  >;
  /** Sends a message to the cloud, or keeps it until the cloud is back. */
  submit(message: Message): void;
}

/** What stands behind an open memory. */
export interface MemoryBacking {
  readonly store: MetaStore;
  readonly outbox: Outbox;
  readonly answerTimeoutMs: () => number;
  /** Called when there is something to send. */
  readonly wake: () => void;
}

/** A memory and the handle by which its database is put behind it and removed. */
export interface NodeMemoryHost {
  readonly memory: NodeMemory;
  open(backing: MemoryBacking): void;
  close(): void;
  /** Stores what the cloud sent and tells the followers. */
  apply(message: Message): void;
}

/** Makes a memory that is not open yet. */
export function createNodeMemory(hub: HubLink, now: () => Date): NodeMemoryHost {
  const changes = changeFeed(now);
  let backing: MemoryBacking | undefined;
  const opened = (): MemoryBacking => backing ?? notOpen();
  const apply = (message: Message): void => changes.publish(applyMessage(opened().store, message));
  const ways = waysToCloud(hub, opened, apply);
  const memory: NodeMemory = {
    get isOpen() {
      return backing !== undefined;
    },
    changes,
    get: (kind, namespace, name) => parseKubeObject(opened().store.getObject(kind, namespace, name)?.value ?? ''),
    list: (kind, namespace) => {
      const records = opened().store.listObjects(kind, namespace);
      return records.flatMap(({ value }) => parseKubeObject(value) ?? []);
    },
    storedKinds: () => opened().store.storedKinds(),
    podRecords: {
      listPodRecords: () => opened().store.listPodRecords(),
      putPodRecord: (record) => opened().store.putPodRecord(record),
      deletePodRecord: (uid) => opened().store.deletePodRecord(uid),
      getPodToken: (uid, name) => opened().store.getPodToken(uid, name),
      putPodToken: (token) => opened().store.putPodToken(token),
    },
    ...ways,
  };
  return {
    memory,
    apply,
    open: (next) => {
      backing = next;
    },
    close: () => {
      backing = undefined;
    },
  };
}

function waysToCloud(
  hub: HubLink,
  opened: () => MemoryBacking,
  apply: (message: Message) => void,
): Pick<NodeMemory, 'query' | 'request' | 'submit'> {
  const request: NodeMemory['request'] = async (message, timeoutMs, signal) => {
    const answer = await hub.request(message, timeoutMs ?? opened().answerTimeoutMs(), signal);
    apply(asAnswerTo(message, answer));
    hub.acknowledge(answer);
    return readAnswer(answer);
  };
  return {
    request,
    query: async (resource, signal) => {
      const local = readStored(opened().store, placeOf(resource))?.object;
      const isCurrent = local !== undefined && PUSHED_TYPES.has(placeOf(resource).type);
      if (isCurrent || !hub.connected) return local;
      return askCloud(async () => request(queryFor(resource), undefined, signal), local);
    },
    submit: (message) => {
      opened().outbox.put(message);
      opened().wake();
    },
  };
}

/** The cloud sends every change of these by itself. */
const PUSHED_TYPES: ReadonlySet<string> = new Set([
  RESOURCE_TYPES.pod,
  RESOURCE_TYPES.configMap,
  RESOURCE_TYPES.secret,
  RESOURCE_TYPES.node,
]);

function queryFor(resource: string): Message {
  return newMessage({ source: SOURCES.edged, group: GROUPS.meta, operation: OPERATIONS.query, resource });
}

/** What the node has is better than no answer, but not better than the word that there is nothing. */
async function askCloud(
  ask: () => Promise<CloudAnswer>,
  local: KubeObject | undefined,
): Promise<KubeObject | undefined> {
  try {
    const answer = await ask();
    if (answer.outcome === 'object') return answer.object;
    if (answer.outcome === 'failure' && isNotFound(answer.status)) return undefined;
    return local ?? refused(answer);
  } catch (cause) {
    if (local === undefined) throw cause;
    return local;
  }
}

function refused(answer: CloudAnswer): never {
  const reason = answer.outcome === 'failure' ? answer.status.message : undefined;
  throw new OperatorError('MESSAGE_INVALID', `Cannot use the cloud's answer: ${reason ?? 'it holds no object'}`, {
    hint: "Look at the cloud's log.",
  });
}

function notOpen(): never {
  throw new OperatorError('SERVICE_FAILED', "Cannot use the node's memory: it is not open", {
    hint: 'Look in the log for why module "metaManager" does not run.',
  });
}
