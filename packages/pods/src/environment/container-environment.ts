import type { Container, EnvironmentSource, EnvironmentVariable } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import { expand } from './expand.ts';
import {
  missingField,
  missingKey,
  missingObject,
  type DataKind,
  type KeyedData,
  type MissingReference,
  type ReferencedData,
} from './keyed-data.ts';
import { podField, type Addresses } from './pod-fields.ts';
import { containerOf, resourceField, type Amounts } from './resource-fields.ts';

/** What the environment of a container depends on besides its pod. */
export interface EnvironmentFacts extends ReferencedData, Addresses {
  /** What pods may use of the node. */
  readonly allocatable: Amounts;
  /** The variables of Services. */
  readonly services: ReadonlyMap<string, string>;
}

/** The environment of a container, or what is missing for it. */
export interface ContainerEnvironment {
  /** The values are bytes: Secrets need not hold text. */
  readonly variables: readonly { readonly key: string; readonly value: Uint8Array<ArrayBuffer> }[];
  /** References that do not exist and are not optional: the container cannot be created. */
  readonly missing: readonly MissingReference[];
  /** Keys of ConfigMaps and Secrets that cannot be names of variables and were left out. */
  readonly skipped: readonly string[];
}

// Every byte is one character here, so that any value can be searched and joined and becomes the same bytes again.
type BinaryText = string;

/**
 * Resolves the environment: first `envFrom`, then `env` in its order with what is known so far, then the variables of
 * Services that are not yet set.
 */
export function containerEnvironment(pod: Pod, container: Container, facts: EnvironmentFacts): ContainerEnvironment {
  const missing: MissingReference[] = [];
  const skipped: string[] = [];
  const values = new Map<string, BinaryText>();
  for (const source of container.envFrom ?? []) {
    const { entries, problems, invalid } = fromSource(source, facts);
    missing.push(...problems);
    skipped.push(...invalid);
    for (const [name, value] of entries) values.set(name, value);
  }
  const lookup = (name: string): BinaryText | undefined => values.get(name) ?? encode(facts.services.get(name));
  for (const variable of container.env ?? []) {
    const value = valueOf(pod, container, variable, facts, lookup);
    if (typeof value === 'string') values.set(variable.name, value);
    else if (value !== undefined) missing.push(value);
  }
  const services = [...facts.services].filter(([name]) => !values.has(name));
  for (const [name, value] of services) values.set(name, encode(value) ?? '');
  const variables = [...values].map(([key, value]) => ({ key, value: Buffer.from(value, 'latin1') }));
  return { variables, missing, skipped };
}

/** The command and the arguments of a container, with the variables of its environment in them. */
export function containerCommand(
  { command = [], args = [] }: Container,
  { variables }: ContainerEnvironment,
): { readonly command: readonly string[]; readonly args: readonly string[] } {
  const values = new Map(variables.map(({ key, value }) => [key, Buffer.from(value).toString('utf8')]));
  const expanded = (text: string): string => expand(text, (name) => values.get(name));
  return { command: command.map(expanded), args: args.map(expanded) };
}

/** A text with the variables in it that the container's definition gives a plain value, as probes and hooks see them. */
export function expandStatic(text: string, container: Container): string {
  const values = new Map<string, string>();
  for (const { name, value } of container.env ?? []) {
    if (value !== undefined)
      values.set(
        name,
        expand(value, (other) => values.get(other)),
      );
  }
  return expand(text, (name) => values.get(name));
}

interface SourceEntries {
  readonly entries: readonly (readonly [string, BinaryText])[];
  readonly problems: readonly MissingReference[];
  readonly invalid: readonly string[];
}

function fromSource(source: EnvironmentSource, facts: EnvironmentFacts): SourceEntries {
  const kind = source.configMapRef ? 'ConfigMap' : 'Secret';
  const reference = source.configMapRef ?? source.secretRef;
  if (reference === undefined) return { entries: [], problems: [], invalid: [] };
  const data = dataOf(facts, kind, reference.name);
  const problems = data || reference.optional ? [] : [missingObject(kind, reference.name)];
  const entries = [...(data?.values ?? [])].map(
    ([key, value]) => [`${source.prefix ?? ''}${key}`, binary(value)] as const,
  );
  return {
    entries: entries.filter(([name]) => isVariableName(name)),
    problems,
    invalid: entries.filter(([name]) => !isVariableName(name)).map(([name]) => name),
  };
}

function valueOf(
  pod: Pod,
  container: Container,
  { value, valueFrom }: EnvironmentVariable,
  facts: EnvironmentFacts,
  lookup: (name: string) => BinaryText | undefined,
): BinaryText | MissingReference | undefined {
  if (valueFrom === undefined) return expand(encode(value) ?? '', lookup);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef) return encode(podField(pod, fieldRef.fieldPath, facts)) ?? missingField(fieldRef.fieldPath);
  if (resourceFieldRef) {
    const { containerName } = resourceFieldRef;
    const subject = containerName === undefined ? container : containerOf(pod.spec, containerName);
    const amount = subject && resourceField(subject, resourceFieldRef, facts.allocatable);
    return amount ?? missingField(resourceFieldRef.resource);
  }
  if (configMapKeyRef) return keyOf(facts, 'ConfigMap', configMapKeyRef);
  return secretKeyRef && keyOf(facts, 'Secret', secretKeyRef);
}

interface KeyReference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

function keyOf(
  facts: EnvironmentFacts,
  kind: DataKind,
  { name, key, optional }: KeyReference,
): BinaryText | MissingReference | undefined {
  const data = dataOf(facts, kind, name);
  const value = data?.values.get(key);
  if (value !== undefined) return binary(value);
  if (optional === true) return undefined;
  return data === undefined ? missingObject(kind, name) : missingKey(kind, name, key);
}

function dataOf(facts: ReferencedData, kind: DataKind, name: string): KeyedData | undefined {
  return (kind === 'ConfigMap' ? facts.configMaps : facts.secrets).get(name);
}

function binary(value: Uint8Array): BinaryText {
  return Buffer.from(value).toString('latin1');
}

function encode(text: string | undefined): BinaryText | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}

/** What Kubernetes allows as a name of a variable: printable ASCII without `=`. */
function isVariableName(name: string): boolean {
  return /^[ -<>-~]+$/.test(name);
}
