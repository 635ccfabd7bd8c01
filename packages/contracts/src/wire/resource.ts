import { OperatorError } from '@fenestra/kernel';
import { PLAIN_RESOURCES } from './route-names.ts';

/** An object, or with no name every object of a type. Namespace `null` is the cluster. */
export interface ObjectResource {
  readonly form: 'object';
  readonly namespace: string | null;
  readonly type: string;
  readonly name?: string;
}

/** One node's part in a node task. */
export interface TaskResource {
  readonly form: 'task';
  readonly apiVersion: string;
  readonly kind: string;
  readonly job: string;
  readonly node: string;
}

/** One node's part in a task of the first version of node tasks. */
export interface LegacyTaskResource {
  readonly form: 'legacy-task';
  readonly task: string;
  readonly node: string;
}

/** An event of a device's twin, such as `edge_updated`. Devices of old have no namespace. */
export interface TwinResource {
  readonly form: 'twin';
  readonly namespace: string | null;
  readonly device: string;
  readonly event: string;
}

/** Every other string: `node`, `k8s/ca.crt`, `membership/detail`, what a later version adds. */
export interface PlainResource {
  readonly form: 'plain';
  readonly text: string;
}

/** What a message is about, taken apart. */
export type Resource = ObjectResource | TaskResource | LegacyTaskResource | TwinResource | PlainResource;

/**
 * Takes a resource string apart. It has no node prefix: upstream's never leaves its cloud.
 * Every string is some form, so nothing is thrown.
 */
export function parseResource(text: string): Resource {
  const tokens = text.split('/');
  if (PLAIN.has(text) || tokens.includes('')) return { form: 'plain', text };
  return parseTask(tokens) ?? parseTwin(tokens) ?? parseObject(tokens) ?? { form: 'plain', text };
}

/** Writes a resource string. Parts that would be read back as something else are refused. */
export function formatResource(resource: Resource): string {
  const text = join(resource);
  if (parseResource(text).form !== resource.form) throw ambiguous(text);
  return text;
}

/** The resource string of an object, or with no name of a whole type. Namespace `null` is the cluster. */
export function objectResource(namespace: string | null, type: string, name?: string): string {
  return formatResource({ form: 'object', namespace, type, ...(name === undefined ? {} : { name }) });
}

// The wire's word for "no namespace". A namespace that is really called so cannot be distinguished from none.
const NO_NAMESPACE = 'null';
const TASK_GROUP = 'operations.kubeedge.io';
const PLAIN: ReadonlySet<string> = new Set(Object.values(PLAIN_RESOURCES));

function parseTask(tokens: readonly string[]): Resource | undefined {
  const [first, second = '', third = '', fourth = '', fifth, node = ''] = tokens;
  if (first === 'task' && third === 'node' && tokens.length === 4) {
    return { form: 'legacy-task', task: second, node: fourth };
  }
  if (first !== TASK_GROUP || fifth !== 'node' || tokens.length !== 6) return undefined;
  return { form: 'task', apiVersion: `${first}/${second}`, kind: third, job: fourth, node };
}

function parseTwin(tokens: readonly string[]): Resource | undefined {
  const [twin, event = ''] = tokens.slice(-2);
  if (tokens[0] !== 'device' || twin !== 'twin') return undefined;
  if (tokens.length === 4) return { form: 'twin', namespace: null, device: tokens[1] ?? '', event };
  if (tokens.length !== 5) return undefined;
  return { form: 'twin', namespace: tokens[1] ?? '', device: tokens[2] ?? '', event };
}

function parseObject(tokens: readonly string[]): Resource | undefined {
  const [token, type, name] = tokens;
  if (token === undefined || type === undefined || tokens.length > 3) return undefined;
  const namespace = token === NO_NAMESPACE ? null : token;
  return { form: 'object', namespace, type, ...(name === undefined ? {} : { name }) };
}

function join(resource: Resource): string {
  switch (resource.form) {
    case 'object':
      return joinTokens([resource.namespace ?? NO_NAMESPACE, resource.type, resource.name]);
    case 'task':
      return joinTokens([...resource.apiVersion.split('/'), resource.kind, resource.job, 'node', resource.node]);
    case 'legacy-task':
      return joinTokens(['task', resource.task, 'node', resource.node]);
    case 'twin':
      return joinTokens(['device', resource.namespace ?? undefined, resource.device, 'twin', resource.event]);
    case 'plain':
      return resource.text;
  }
}

function joinTokens(tokens: readonly (string | undefined)[]): string {
  const given = tokens.filter((token) => token !== undefined);
  const text = given.join('/');
  if (given.some((token) => token === '' || token.includes('/'))) throw ambiguous(text);
  return text;
}

function ambiguous(text: string): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot name the resource "${text}" on the wire`, {
    hint: 'Use names that are not empty and contain no "/".',
  });
}
