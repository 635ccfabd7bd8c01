import type { KubeObject } from '../objects/kube-object.ts';

/** What happened to an object. */
export type ChangeType = 'ADDED' | 'DELETED' | 'MODIFIED';

/** One committed change, as it goes to the watchers. `body` is `object` as JSON text: made once, used by all. */
export interface Change {
  readonly type: ChangeType;
  readonly revision: number;
  /** As `resourceName` spells it. */
  readonly resource: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly body: string;
}
