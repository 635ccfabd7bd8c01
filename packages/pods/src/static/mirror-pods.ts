import { MIRROR_ANNOTATION } from '@fenestra/contracts';
import { objectAt, stringAt, type JsonObject } from '@fenestra/kernel';
import type { Pod } from '../pod/pod.ts';
import { HASH_ANNOTATION } from './static-pod.ts';

/** One change to the mirror pods of a node in the cloud. */
export type MirrorAction =
  | { readonly kind: 'create'; readonly mirror: JsonObject }
  | { readonly kind: 'delete'; readonly mirror: JsonObject };

/** What the mirror pods of a node are decided from. */
export interface MirrorFacts {
  readonly node: { readonly name: string; readonly uid: string };
  /** The static pods that are to run, as JSON. */
  readonly wanted: readonly JsonObject[];
  /** The static pods that run or still end. */
  readonly running: readonly Pod[];
  /** The mirror pods of this node that the cloud has. */
  readonly mirrors: readonly JsonObject[];
}

/** Decides what to change. The mirror of a pod that still ends stays until it has ended, to show how. */
export function planMirrors({ node, wanted, running, mirrors }: MirrorFacts): readonly MirrorAction[] {
  const pods = new Map(wanted.map((pod) => [keyOf(pod), pod]));
  const ending = new Set(running.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const shown = new Set(mirrors.map(keyOf));
  const stale = mirrors.filter((mirror) => {
    const pod = pods.get(keyOf(mirror));
    return pod === undefined ? !ending.has(keyOf(mirror)) : !isMirrorOf(mirror, pod);
  });
  const missing = [...pods.values()].filter((pod) => !shown.has(keyOf(pod)));
  return [
    ...stale.map((mirror) => ({ kind: 'delete', mirror }) as const),
    ...missing.map((pod) => ({ kind: 'create', mirror: mirrorPod(pod, node) }) as const),
  ];
}

/** The uid of the mirror if it shows this static pod as it is now. */
export function mirrorUid(mirror: JsonObject | undefined, { metadata }: Pod): string | undefined {
  const hash = stringAt(mirror, 'metadata', 'annotations', MIRROR_ANNOTATION);
  if (hash === '' || hash !== metadata.annotations?.[HASH_ANNOTATION]) return undefined;
  return stringAt(mirror, 'metadata', 'uid') || undefined;
}

/** The pod that shows a static pod in the API. */
function mirrorPod(pod: JsonObject, node: { readonly name: string; readonly uid: string }): JsonObject {
  const { uid: _, ...metadata } = objectAt(pod, 'metadata');
  const annotations = objectAt(metadata, 'annotations');
  const owner = { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true };
  return {
    ...pod,
    metadata: {
      ...metadata,
      annotations: { ...annotations, [MIRROR_ANNOTATION]: stringAt(annotations, HASH_ANNOTATION) },
      ownerReferences: [owner],
    },
  };
}

/** Whether a mirror pod still shows this static pod; one that is being deleted does not. */
function isMirrorOf(mirror: JsonObject, pod: JsonObject): boolean {
  const hash = stringAt(pod, 'metadata', 'annotations', HASH_ANNOTATION);
  return (
    stringAt(mirror, 'metadata', 'annotations', MIRROR_ANNOTATION) === hash &&
    objectAt(mirror, 'metadata')['deletionTimestamp'] === undefined
  );
}

function keyOf(pod: JsonObject): string {
  return `${stringAt(pod, 'metadata', 'namespace')}/${stringAt(pod, 'metadata', 'name')}`;
}
