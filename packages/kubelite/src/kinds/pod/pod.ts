import { stringAt } from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import { defineKind } from '../define-kind.ts';
import { numberAt } from '../json.ts';
import { bindingSubresource } from './binding.ts';
import { POD_COLUMNS } from './columns.ts';
import { podDefaults } from './defaults.ts';
import { evictionSubresource } from './eviction.ts';
import { qualityOfService } from './quality-of-service.ts';
import { podProblems } from './validation.ts';
import { podWarnings } from './warnings.ts';

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
