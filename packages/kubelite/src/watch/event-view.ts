import type { KubeObject } from '../objects/kube-object.ts';
import type { Change, ChangeType } from '../store/change.ts';

/** Whether a watcher cares about an object in this state. */
export type ObjectTest = (object: KubeObject) => boolean;

/**
 * What a change looks like to somebody who sees only the objects that pass the test:
 * an object that stops passing is deleted for them, one that starts passing is new.
 */
export function typeSeen(change: Change, passes: ObjectTest): ChangeType | undefined {
  const before = change.previous !== undefined && passes(change.previous);
  const after = change.type !== 'DELETED' && passes(change.object);
  if (after) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}
