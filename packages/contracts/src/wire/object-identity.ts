import type { Json } from '@fenestra/kernel';

/** The fields of an object's metadata that delivery depends on. An empty one counts as absent. */
interface ObjectIdentity {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
}

/** Who the Kubernetes object in a message is; undefined if the content is no such object. */
export function objectIdentity(content: Json): ObjectIdentity | undefined {
  const metadata = fieldOf(content, 'metadata');
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined;
  return Object.fromEntries(IDENTITY.flatMap((name) => textField(metadata, name)));
}

const IDENTITY = ['name', 'namespace', 'uid', 'resourceVersion', 'deletionTimestamp'] as const;

function textField(metadata: Json, name: string): readonly (readonly [string, string])[] {
  const value = fieldOf(metadata, name);
  return typeof value === 'string' && value !== '' ? [[name, value]] : [];
}

function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The version in a sync record of an object that the node never acknowledged. */
export const NEVER_ACKNOWLEDGED = '0';

/** The node and the object that a sync record is about. */
interface ObjectSyncKey {
  readonly node: string;
  readonly uid: string;
}

/** The name of the sync record of one object at one node. */
export function objectSyncName({ node, uid }: ObjectSyncKey): string {
  return `${node}.${uid}`;
}

/** Parses the name of a sync record; undefined if it is not one. A node's name may contain dots, a uid does not. */
export function parseObjectSyncName(name: string): ObjectSyncKey | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 1 || dot === name.length - 1) return undefined;
  return { node: name.slice(0, dot), uid: name.slice(dot + 1) };
}

/**
 * Whether a version is later than another. Versions are unsigned 64-bit numbers; where one is none, any difference
 * counts as later, since sending an object once too often does no harm.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [left, right] = [digitsOf(version), digitsOf(than)];
  if (left === undefined || right === undefined) return version !== than;
  return left.length === right.length ? left > right : left.length > right.length;
}

function digitsOf(version: string): string | undefined {
  return /^\d+$/.test(version) ? version.replace(/^0+(?=\d)/, '') : undefined;
}
