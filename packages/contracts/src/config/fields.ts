import * as z from 'zod/mini';
import type { EdgePaths, NodeOs } from './edgecore/edge-paths.ts';

/** The machine that some defaults depend on. */
export interface Machine {
  readonly os: NodeOs;
  readonly paths: EdgePaths;
  readonly hostName: string;
  /** The address of the cloud, without a port. */
  readonly cloudAddress: string;
}

type Default<Value> = Value | ((machine: Machine) => Value);

interface Description {
  readonly meaning: string;
  readonly default?: unknown;
}

/** The default files of an identity. */
export const CA_FILE = ({ paths }: Machine): string => paths.caFile;
export const CERT_FILE = ({ paths }: Machine): string => paths.certFile;
export const KEY_FILE = ({ paths }: Machine): string => paths.keyFile;

const DESCRIPTIONS = new WeakMap<object, Description>();

/**
 * A field of a configuration file: its schema, its line in the reference, and its default. A mapping has the defaults of
 * its fields. An optional field has none.
 */
export function field<Schema extends z.ZodMiniType>(
  schema: Schema,
  meaning: string,
  value?: Default<z.infer<Schema>>,
): Schema {
  const described = schema.clone();
  DESCRIPTIONS.set(described, { meaning, default: value });
  return described;
}

/** The line of the reference about a field. */
export function meaningOf(schema: object): string | undefined {
  return DESCRIPTIONS.get(schema)?.meaning;
}

/** What a file that says nothing means on this machine. */
export function defaultsOf<Schema extends z.ZodMiniType>(schema: Schema, machine: Machine): z.infer<Schema> {
  return z.parse(z.custom<z.infer<Schema>>(), defaultOf(schema, machine));
}

function defaultOf(schema: object, machine: Machine): unknown {
  const value = DESCRIPTIONS.get(schema)?.default;
  if (value !== undefined) return typeof value === 'function' ? value(machine) : structuredClone(value);
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const fields = Object.entries<object>(schema.shape).map(([key, part]) => [key, defaultOf(part, machine)] as const);
  return Object.fromEntries(fields.filter(([, part]) => part !== undefined));
}
