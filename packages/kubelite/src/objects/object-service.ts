import { type FieldTerm, matchesFields, MAX_DEPTH, type Selects } from '@fenestra/contracts/objects';
import type { User } from './gatekeeper.ts';
import type { KubeObject, ObjectDraft } from './kube-object.ts';
import type { ResourceKind, ResourceRef } from './resource-kind.ts';

/** Where an object is. `namespace` is empty for cluster-wide objects. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Which objects a list or a watch is about. Selectors are parsed once, so that everyone judges by the same value. */
export interface ObjectFilter {
  /** Empty or absent means every namespace. */
  readonly namespace?: string;
  readonly labels?: Selects;
  readonly fields?: readonly FieldTerm[];
}

/** Reads of committed state, or of the transaction's own state inside a write hook. Nothing here waits. */
export interface ObjectReader {
  get(resource: ResourceRef, key: ObjectKey): KubeObject | undefined;
  /** In order of namespace and name. */
  list(resource: ResourceRef, filter?: ObjectFilter): readonly KubeObject[];
}

/** Who writes, and whether it is only a dry run. Controllers inside the API use `SYSTEM_USER`. */
export interface WriteOptions {
  readonly user: User;
  readonly dryRun?: boolean;
  /** Recorded in `managedFields`. */
  readonly fieldManager?: string;
  /** `status`, or the name of another subresource: then hooks see it and only that part changes for `status`. */
  readonly subresource?: string;
}

/** How to delete. */
export interface DeleteOptions extends WriteOptions {
  readonly graceSeconds?: number;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What was left after a deletion: the object still there (finalizers, grace) or the last of it. */
export interface DeleteOutcome {
  readonly object: KubeObject;
  readonly gone: boolean;
}

/** One change as a watcher inside the process sees it. `previous` is absent when an object is new. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/**
 * Everything the REST server does, for callers in the same process: subresources, controllers, the scheduler.
 * Writes go through defaults, validation, versions, finalizers and generations as if they came over HTTP
 * (only the gatekeeper's `authorize` is left out), and resolve once they are on disk. They throw `StatusError`.
 */
export interface ObjectService extends ObjectReader {
  create(kind: ResourceKind, draft: ObjectDraft, options: WriteOptions): Promise<KubeObject>;
  /**
   * Changes one object: `change` gets what is stored now, and may be called inside the transaction only once.
   * Returning the same object writes nothing. Throws 404 where there is none.
   */
  update(
    kind: ResourceKind,
    key: ObjectKey,
    change: (current: KubeObject) => ObjectDraft,
    options: WriteOptions,
  ): Promise<KubeObject>;
  delete(kind: ResourceKind, key: ObjectKey, options: DeleteOptions): Promise<DeleteOutcome>;
  /** Calls back for every object there is (as ADDED), then for every change once it is on disk, until aborted. */
  follow(resource: ResourceRef, onEvent: (event: ObjectEvent) => void, signal: AbortSignal): void;
  /** The newest resourceVersion. */
  revision(): string;
}

/** What a controller inside the API writes as. */
export const SYSTEM_USER: User = { name: 'system:apiserver', groups: ['system:masters'] };

/** How many values an object may consist of: fields, list items and what is inside them. A write visits each many times. */
export const MAX_VALUES = 40_000;

/** How many values a value consists of, itself included. Stops counting beyond `limit`; `Infinity` with too many levels. */
export function countValues(value: unknown, limit: number = MAX_VALUES, levels: number = MAX_DEPTH): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return Number.POSITIVE_INFINITY;
  let count = 1;
  for (const child of Object.values(value)) {
    count += countValues(child, limit - count, levels - 1);
    if (count > limit) break;
  }
  return count;
}

type Test = (object: KubeObject) => boolean;

/** A test for the selectors of a filter; undefined when there are none, so that nothing needs to be parsed. */
export function selectorOf({ labels, fields = [] }: ObjectFilter): Test | undefined {
  if (labels === undefined && fields.length === 0) return undefined;
  return (object) => (labels === undefined || labels(object)) && matchesFields(fields, object);
}

/** A test for a filter with its namespace. */
export function objectTestOf(filter: ObjectFilter): Test {
  const selects = selectorOf(filter);
  const { namespace = '' } = filter;
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) && (selects === undefined || selects(object));
}
