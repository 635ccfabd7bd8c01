import { podReferences } from '@fenestra/contracts';
import { podDefaults, qualityOfService } from '@fenestra/contracts/objects';
import { numberAt, stringAt } from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import { defineKind } from '../define-kind.ts';
import { POD_COLUMNS } from './columns.ts';
import { bindingSubresource, evictionSubresource } from './subresources.ts';
import { podProblems } from './validation.ts';

const ENDED: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);

/** Pods. One that runs on a node stays, terminating, until the node says that it has stopped. */
export const podKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  subresources: [bindingSubresource, evictionSubresource],
  columns: POD_COLUMNS,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  defaults: podDefaults,
  prepareForCreate: (pod) => ({ ...pod, status: { phase: 'Pending', qosClass: qualityOfService(pod) } }),
  validate: podProblems,
  warnings: podWarnings,
  deletionGraceSeconds: graceSeconds,
});

function graceSeconds(pod: KubeObject, asked: number | undefined): number {
  const stopped = stringAt(pod, 'spec', 'nodeName') === '' || ENDED.has(stringAt(pod, 'status', 'phase'));
  return stopped ? 0 : (asked ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds'));
}

const SERVED: ReadonlySet<string> = new Set(['ConfigMap', 'Endpoints', 'Secret', 'ServiceAccount']);

/** Warns about objects a pod needs that can never exist here, so that it will not start. */
function podWarnings(pod: KubeObject): readonly string[] {
  const missing = podReferences(pod).filter(({ kind, name }) => name !== '' && !SERVED.has(kind));
  return missing.map(
    ({ kind, name }) => `the pod refers to the ${kind} "${name}", a kind the embedded API does not serve`,
  );
}
