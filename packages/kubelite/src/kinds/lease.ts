import { stringAt, valueAt } from '../objects/json.ts';
import { AGE, column, NAME } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { numberAt } from './json.ts';
import { invalidField } from './problems.ts';

/** Leases: a node's heartbeat, or who leads among several. */
export const leaseKind = defineKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  columns: [NAME, column('Holder', 'Who holds it', (lease) => stringAt(lease, 'spec', 'holderIdentity')), AGE],
  validate(lease) {
    const seconds = numberAt(lease, 'spec', 'leaseDurationSeconds');
    const given = valueAt(lease, 'spec', 'leaseDurationSeconds') !== undefined;
    return given && seconds <= 0 ? [invalidField('spec.leaseDurationSeconds', seconds, 'must be greater than 0')] : [];
  },
});
