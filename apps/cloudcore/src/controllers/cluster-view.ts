import { EDGE_KINDS, SYNCED_KINDS, type SyncedKind } from '@fenestra/contracts';
import type { Informer, InformerEvent, KubeApi, KubeObject } from '@fenestra/kube-api';
import { knownObject, knownPod, type KnownObject, type KnownPod } from './known-object.ts';
import { podIndex } from './pod-index.ts';

/** What the cluster holds, and which node each thing concerns. */
export interface ClusterView {
  node(name: string): KnownObject | undefined;
  pod(namespace: string | undefined, name: string): KnownPod | undefined;
  /** An object by kind and name. */
  find(kind: SyncedKind, namespace: string | undefined, name: string): KnownObject | undefined;
  podsOf(node: string): Iterable<KnownPod>;
  /** Whether a pod of the node needs the ConfigMap or Secret. */
  uses(node: string, kind: SyncedKind, namespace: string | undefined, name: string): boolean;
  /** Nodes with a pod that needs the ConfigMap or Secret. */
  usersOf(object: KnownObject): Iterable<string>;
  /** ConfigMaps and Secrets that the node's pods need and that exist. */
  neededBy(node: string): Iterable<KnownObject>;
  readonly size: number;
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  readonly stopped: Promise<unknown>;
}

/** A change, with the object itself where it is at hand. */
export type ClusterEvent =
  | { readonly type: 'present'; readonly known: KnownObject; readonly object: KubeObject }
  | { readonly type: 'gone'; readonly known: KnownObject; readonly object?: KubeObject };

/** The subscribers. A pod's references are in place when its event is published. */
export interface ClusterListener {
  onEvent(event: ClusterEvent): void;
  onTrouble(error: unknown, retryMs: number): void;
}

/** Follows all objects of the kinds that are sent to nodes. */
export function followCluster(api: KubeApi, listener: ClusterListener, signal: AbortSignal): ClusterView {
  const index = podIndex();
  const follow = follower(api, listener, signal);
  const pods = follow(EDGE_KINDS.pod, knownPod, index.take);
  const others = SYNCED_KINDS.filter((kind) => kind !== EDGE_KINDS.pod);
  const byKind = new Map<SyncedKind, Informer<KnownObject>>([
    ...others.map((kind) => [kind, follow(kind, (object) => knownObject(kind, object))] as const),
    [EDGE_KINDS.pod, pods],
  ]);
  const informers = [...byKind.values()];
  const find: ClusterView['find'] = (kind, namespace, name) => byKind.get(kind)?.get(namespace, name);
  return {
    node: (name) => find(EDGE_KINDS.node, undefined, name),
    pod: (namespace, name) => pods.get(namespace, name),
    find,
    podsOf: (node) => index.podsOf(node),
    uses: (node, kind, namespace, name) => index.uses(node, kind, namespace, name),
    usersOf: ({ kind, namespace, name }) => index.usersOf(kind, namespace, name),
    *neededBy(node) {
      for (const { kind, namespace, name } of index.needsOf(node)) {
        const object = find(kind, namespace, name);
        if (object !== undefined) yield object;
      }
    },
    get size() {
      return informers.reduce((sum, informer) => sum + informer.size, 0);
    },
    get synced() {
      return informers.every((informer) => informer.synced);
    },
    async whenSynced() {
      await Promise.all(informers.map((informer) => informer.whenSynced()));
    },
    stopped: Promise.all(informers.map((informer) => informer.stopped)),
  };
}

/** Starts to follow one kind; `before` hears of an event before the listener does. */
type Follow = <Known extends KnownObject>(
  kind: SyncedKind,
  keep: (object: KubeObject) => Known,
  before?: (event: InformerEvent<Known>) => void,
) => Informer<Known>;

function follower(api: KubeApi, listener: ClusterListener, signal: AbortSignal): Follow {
  return (kind, keep, before = () => {}) => {
    const { fieldSelector } = kind.sync;
    return api.informer(
      kind,
      {
        ...(fieldSelector === undefined ? {} : { selection: { fieldSelector } }),
        keep,
        onEvent(event) {
          before(event);
          listener.onEvent(asClusterEvent(event));
        },
        onTrouble: (error, retryMs) => listener.onTrouble(error, retryMs),
      },
      signal,
    );
  };
}

function asClusterEvent(event: InformerEvent<KnownObject>): ClusterEvent {
  const { kept: known } = event;
  if (event.type !== 'deleted') return { type: 'present', known, object: event.object };
  return { type: 'gone', known, ...(event.object === undefined ? {} : { object: event.object }) };
}
