import { stringAt } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import { column, wideColumn } from '../printing/columns.ts';
import { ageOf } from '../printing/human-duration.ts';
import { defineKind } from './define-kind.ts';
import { lastSeen, subject } from './event.ts';
import { numberAt } from './json.ts';
import { requiredField } from './problems.ts';

/** Events in the form of `events.k8s.io`. Each is told in the core group's form too, where `kubectl` looks. */
export const newEventKind = defineKind({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  columns: [
    column('Last Seen', 'Time since it happened last', (event, now) => ageOf(lastSeen(event), now)),
    column('Type', 'Normal or Warning', (event) => stringAt(event, 'type')),
    column('Reason', 'Why, in a word', (event) => stringAt(event, 'reason')),
    column('Object', 'What it happened to', (event) => subject(event, 'regarding')),
    column('Message', 'What happened', (event) => stringAt(event, 'note').trim()),
    wideColumn('Name', 'Name of the event', (event) => event.metadata.name),
  ],
  selectableFields: [
    'regarding.kind',
    'regarding.namespace',
    'regarding.name',
    'reason',
    'reportingController',
    'type',
  ],
  validate: (event) => [
    ...(stringAt(event, 'eventTime') === '' ? [requiredField('eventTime')] : []),
    ...(stringAt(event, 'reportingController') === '' ? [requiredField('reportingController')] : []),
    ...(stringAt(event, 'reportingInstance') === '' ? [requiredField('reportingInstance')] : []),
    ...(stringAt(event, 'action') === '' ? [requiredField('action')] : []),
    ...(stringAt(event, 'reason') === '' ? [requiredField('reason')] : []),
  ],
});

/** The same event as the core group has it. */
export function toCoreEvent(event: KubeObject): ObjectDraft {
  const { name, namespace = 'default' } = event.metadata;
  const time = lastSeen(event);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: event['regarding'] ?? {},
    message: stringAt(event, 'note'),
    reason: stringAt(event, 'reason'),
    type: stringAt(event, 'type'),
    action: stringAt(event, 'action'),
    eventTime: stringAt(event, 'eventTime'),
    reportingComponent: stringAt(event, 'reportingController'),
    reportingInstance: stringAt(event, 'reportingInstance'),
    source: { component: stringAt(event, 'reportingController') },
    firstTimestamp: stringAt(event, 'deprecatedFirstTimestamp') || stringAt(event, 'eventTime'),
    lastTimestamp: time,
    count: numberAt(event, 'series', 'count') || numberAt(event, 'deprecatedCount') || 1,
  };
}
