import { podReferences } from '@fenestra/contracts';
import type { KubeObject } from '../../objects/kube-object.ts';

const SERVED: ReadonlySet<string> = new Set(['ConfigMap', 'Endpoints', 'Secret', 'ServiceAccount']);

/** Warns about objects a pod needs that can never exist here, so that it will not start. */
export function podWarnings(pod: KubeObject): readonly string[] {
  const missing = podReferences(pod).filter(({ kind, name }) => name !== '' && !SERVED.has(kind));
  return missing.map(
    ({ kind, name }) => `the pod refers to the ${kind} "${name}", a kind the embedded API does not serve`,
  );
}
