import type { Json } from '@fenestra/kernel';

/** The fields of an object's metadata that delivery depends on. An empty one counts as absent. */
export interface ObjectIdentity {
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
