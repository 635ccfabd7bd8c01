import type { KindNames } from '@fenestra/contracts';
import { matchesFields, parseFieldSelector, parseLabelSelector } from '@fenestra/contracts/objects';
import type { JsonObject } from '@fenestra/kernel';
import { apiVersionOf } from '../meta/kinds.ts';
import type { KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { badRequest, notFound } from './api-failure.ts';
import type { ObjectPath } from './api-path.ts';

/** Whether an object is meant. */
export type Matcher = (object: KubeObject) => boolean;

/** One object, as `kubectl get <kind> <name>` wants it. */
export function readObject(memory: NodeMemory, kind: KindNames, namespace: string, name: string): KubeObject {
  const object = memory.get(kind, kind.namespaced ? namespace : '', name);
  if (object === undefined) throw notFound(`${kind.plural} "${name}"`);
  return object;
}

/** A collection. Its resource version is the node's own count, from which a watch can go on. */
export function readList(memory: NodeMemory, kind: KindNames, path: ObjectPath, matches: Matcher): JsonObject {
  const resourceVersion = String(memory.changes.latest);
  const items = memory.list(kind, path.namespace).filter(matches);
  return { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata: { resourceVersion }, items };
}

/** What the selectors of a request mean. A name in the path of a watch selects that object. */
export function selectorsOf(query: URLSearchParams, name?: string): Matcher {
  const byLabel = parseLabelSelector(query.get('labelSelector') ?? '', badRequest);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', badRequest);
  return (object) =>
    (name === undefined || object.metadata.name === name) && byLabel(object) && matchesFields(fields, object);
}
