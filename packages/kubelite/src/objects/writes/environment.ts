import { ownable, recordUpdate } from '../../patch/managed-fields.ts';
import { builtInListShape, plainListShape, type ListShape, type ListShapes } from '../../patch/list-shape.ts';
import type { StoreWriter } from '../../store/object-store.ts';
import type { StoredRef } from '../../store/object-rows.ts';
import type { Decision, ObjectChange } from '../gatekeeper.ts';
import { sameJson } from '../json.ts';
import type { KubeObject } from '../kube-object.ts';
import { countValues, MAX_VALUES, type ObjectKey, type WriteOptions } from '../object-service.ts';
import { readerOf } from '../object-reader.ts';
import { apiVersionOf, resourceName, type ResourceKind, type WriteContext } from '../resource-kind.ts';
import { forbidden, invalid, StatusError } from '../status-error.ts';
import type { User } from '../gatekeeper.ts';

/** What every write needs besides the store. */
export interface WriteEnvironment {
  now(): Date;
  admit(user: User, change: ObjectChange): Decision;
  /** Hears of a follower that failed on a change: it must stop neither the others nor the write. Absent, the error rises. */
  onFollowerError?(error: unknown, object: KubeObject): void;
}

/** One write on its way: all of it happens inside one transaction. */
export interface Write {
  readonly environment: WriteEnvironment;
  readonly writer: StoreWriter;
  readonly kind: ResourceKind;
  readonly options: ManagedWriteOptions;
}

/** `ownership: 'given'` means that `managedFields` is already as it shall be: server-side apply has worked it out. */
export interface ManagedWriteOptions extends WriteOptions {
  readonly ownership?: 'given';
}

/** Where the kind's object is stored. */
export function storedRef(kind: { readonly group: string; readonly plural: string }, key: ObjectKey): StoredRef {
  return { resource: resourceName(kind), namespace: key.namespace, name: key.name };
}

/** What the kind's hooks get to see. */
export function contextOf({ environment, writer, options }: Write): WriteContext {
  const { user, dryRun = false } = options;
  return { user, dryRun, now: environment.now(), objects: readerOf(writer) };
}

/** A moment as Kubernetes writes it: whole seconds. */
export function timestamp(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Throws 413, 422 or 403 unless the object may be stored so. */
export function requireAllowed(write: Write, object: KubeObject, previous?: KubeObject): void {
  const { kind, options, environment } = write;
  requireStorable(object, previous);
  const problems = kind.validate?.(object, previous) ?? [];
  if (problems.length > 0) throw invalid(kind, object.metadata.name, problems);
  const verb = previous ? 'update' : 'create';
  const change = { verb, kind, subresource: options.subresource ?? '', object } as const;
  const decision = environment.admit(options.user, previous ? { ...change, previous } : change);
  if (decision !== true) throw forbidden(kind, object.metadata.name, decision);
}

/** As many as a request may have: a patch must not make an object larger than one that can be sent. */
const MAX_STORED_CHARACTERS = 3 * 1024 * 1024;

/** Throws 413 for an object that has grown too large. One that was stored larger can still be changed, and shrunk. */
function requireStorable(object: KubeObject, previous: KubeObject | undefined): void {
  const excess = (limit: number, what: string, measure: (value: KubeObject) => number) => {
    const size = measure(object);
    if (size <= limit || (previous && size <= measure(previous))) return;
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `the object is too large to be stored: limit is ${limit} ${what}`,
    );
  };
  excess(MAX_VALUES, 'values', (value) => countValues(value, Number.POSITIVE_INFINITY));
  excess(MAX_STORED_CHARACTERS, 'characters', (value) => JSON.stringify(value).length);
}

/** Stores the object unless it is a dry run. */
export function store(write: Write, object: KubeObject): KubeObject {
  if (write.options.dryRun) return object;
  const apiVersion = apiVersionOf({
    group: write.kind.group,
    version: write.kind.storageVersion ?? write.kind.version,
  });
  const { namespace = '', name } = object.metadata;
  const stored = write.writer.put(storedRef(write.kind, { namespace, name }), { ...object, apiVersion });
  return stored.apiVersion === object.apiVersion ? stored : { ...stored, apiVersion: object.apiVersion };
}

/** Writes down who owns what this write changes. */
export function withOwnership(write: Write, object: KubeObject, previous?: KubeObject): KubeObject {
  const { options, kind, environment } = write;
  if (options.ownership === 'given') return object;
  requireStorable(object, previous);
  const manager = options.fieldManager ?? options.user.name;
  const time = timestamp(environment.now());
  const subresource = options.subresource ?? '';
  const who = { manager, operation: 'Update', apiVersion: apiVersionOf(kind), subresource, time } as const;
  return recordUpdate(previous, object, who, applyShapes(kind));
}

/** Whether two states are alike but for what the server itself keeps. */
export function isUnchanged(left: KubeObject, right: KubeObject): boolean {
  return sameJson(ownable(left), ownable(right));
}

/** How the kind's lists merge in a server-side apply. */
export function applyShapes(kind: ResourceKind): ListShapes {
  const merge = kind.listMerge?.bind(kind);
  if (!merge) return kind.strategicMerge ? builtInListShape : plainListShape;
  return (path) => {
    const rule = merge(path);
    if (!rule) return plainListShape(path);
    return rule.type === 'set' ? rule : mapShape(rule.keys);
  };
}

function mapShape(keys: readonly string[]): ListShape {
  return { type: 'map', keys, mergeKey: keys[0] ?? 'name' };
}
