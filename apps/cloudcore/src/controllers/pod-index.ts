import { EDGE_KINDS, type SyncedKind } from '@fenestra/contracts';
import type { InformerEvent } from '@fenestra/kube-api';
import type { KnownPod } from './known-object.ts';

/** A ConfigMap or Secret that someone needs; whether it exists is another question. */
export interface Need {
  readonly kind: SyncedKind;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Which pods are on which node, and what they need. */
export interface PodIndex {
  readonly take: (event: InformerEvent<KnownPod>) => void;
  podsOf(node: string): Iterable<KnownPod>;
  needsOf(node: string): Iterable<Need>;
  uses(node: string, kind: SyncedKind, namespace: string | undefined, name: string): boolean;
  usersOf(kind: SyncedKind, namespace: string | undefined, name: string): Iterable<string>;
}

/** Keeps the index up to date with the pods that it is given. */
export function podIndex(): PodIndex {
  const pods = new Map<string, Map<string, KnownPod>>();
  const users = new Map<string, Map<string, number>>();
  const count = (pod: KnownPod, step: 1 | -1): void => {
    for (const need of needsOfPod(pod)) {
      const key = keyOf(need.kind, need.namespace, need.name);
      const nodes = users.get(key) ?? new Map<string, number>();
      const total = (nodes.get(pod.nodeName) ?? 0) + step;
      if (total > 0) nodes.set(pod.nodeName, total);
      else nodes.delete(pod.nodeName);
      if (nodes.size > 0) users.set(key, nodes);
      else users.delete(key);
    }
  };
  const put = (pod: KnownPod): void => {
    pods.set(pod.nodeName, (pods.get(pod.nodeName) ?? new Map<string, KnownPod>()).set(pod.uid, pod));
    count(pod, 1);
  };
  const remove = (pod: KnownPod): void => {
    const ofNode = pods.get(pod.nodeName);
    if (ofNode?.delete(pod.uid) !== true) return;
    if (ofNode.size === 0) pods.delete(pod.nodeName);
    count(pod, -1);
  };
  return {
    take(event) {
      if (event.type === 'changed') remove(event.before);
      if (event.type === 'deleted') remove(event.kept);
      else put(event.kept);
    },
    podsOf: (node) => pods.get(node)?.values() ?? [],
    *needsOf(node) {
      const seen = new Set<string>();
      for (const pod of pods.get(node)?.values() ?? []) {
        for (const need of needsOfPod(pod)) {
          const key = keyOf(need.kind, need.namespace, need.name);
          if (!seen.has(key)) yield need;
          seen.add(key);
        }
      }
    },
    uses: (node, kind, namespace, name) => users.get(keyOf(kind, namespace, name))?.has(node) === true,
    usersOf: (kind, namespace, name) => users.get(keyOf(kind, namespace, name))?.keys() ?? [],
  };
}

function needsOfPod({ namespace, references }: KnownPod): readonly Need[] {
  return [
    ...references.configMaps.map((name) => ({ kind: EDGE_KINDS.configMap, namespace, name })),
    ...references.secrets.map((name) => ({ kind: EDGE_KINDS.secret, namespace, name })),
  ];
}

function keyOf(kind: SyncedKind, namespace: string | undefined, name: string): string {
  return `${kind.type}/${namespace ?? ''}/${name}`;
}
