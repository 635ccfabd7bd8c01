import type { JsonObject } from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';

/** An object as it would be stored. */
export function sample(kind: string, name: string, fields: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  const own = { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '1', creationTimestamp };
  return { apiVersion: 'v1', kind, ...fields, metadata: { ...metadata, ...own } };
}

/** A pod with one container. */
export function samplePod(name: string, spec: JsonObject = {}): KubeObject {
  return sample('Pod', name, { spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec } });
}

/** A node that is ready. */
export function sampleNode(
  name: string,
  labels: Readonly<Record<string, string>> = {},
  spec: JsonObject = {},
): KubeObject {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  return sample('Node', name, { spec, status }, { labels });
}
