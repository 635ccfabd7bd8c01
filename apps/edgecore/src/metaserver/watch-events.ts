import type { KindNames } from '@fenestra/contracts';
import type { Json, JsonObject } from '@fenestra/kernel';
import type { NumberedChange, ObjectChange } from '../meta/change-feed.ts';
import { apiVersionOf } from '../meta/kinds.ts';
import type { KubeObject } from '../meta/kube-object.ts';
import { formatKindAddress } from '../meta/object-key.ts';
import type { Matcher } from './read-objects.ts';

/** What a follower asked for. */
export interface WatchScope {
  readonly kind: KindNames;
  readonly namespace?: string | undefined;
  readonly matches: Matcher;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: ObjectChange['type'] | 'BOOKMARK';
  readonly object: JsonObject;
}

/** What a change is to a follower who sees only some objects: one that begins to match is new, one that ceases is gone. */
export function eventFor(change: NumberedChange, scope: WatchScope): WatchEvent | undefined {
  if (!isInScope(change, scope)) return undefined;
  const { object, previous } = change;
  const isSeen = change.type !== 'DELETED' && scope.matches(object);
  const wasSeen = previous !== undefined && scope.matches(previous);
  if (isSeen) return { type: wasSeen ? 'MODIFIED' : 'ADDED', object };
  return wasSeen ? { type: 'DELETED', object } : undefined;
}

/** Tells a follower where it is, so that it can go on from there; `isInitial` ends the objects it began with. */
export function bookmark(kind: KindNames, sequence: number, isInitial: boolean): WatchEvent {
  const annotations: Json = isInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(sequence), creationTimestamp: null, ...annotations };
  return { type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata } };
}

/** The objects a watch begins with. */
export function initialEvents(objects: readonly KubeObject[], { matches }: WatchScope): readonly WatchEvent[] {
  return objects.filter(matches).map((object) => ({ type: 'ADDED', object }));
}

function isInScope({ kind, namespace }: NumberedChange, scope: WatchScope): boolean {
  if (formatKindAddress(kind) !== formatKindAddress(scope.kind)) return false;
  return scope.namespace === undefined || scope.namespace === namespace;
}
