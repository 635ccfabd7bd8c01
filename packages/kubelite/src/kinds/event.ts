import { numberAt, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { ageOf, column, numberColumn, wideColumn } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { invalidField, requiredField } from './problems.ts';

/** What happened to an object, in the core group's form. Events are forgotten after an hour. */
export const eventKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  columns: [
    column('Last Seen', 'Time since it happened last', (event, now) => ageOf(lastSeen(event), now)),
    column('Type', 'Normal or Warning', (event) => stringAt(event, 'type')),
    column('Reason', 'Why, in a word', (event) => stringAt(event, 'reason')),
    column('Object', 'What it happened to', (event) => subject(event, 'involvedObject')),
    wideColumn('Subobject', 'Which part of it', (event) => stringAt(event, 'involvedObject', 'fieldPath')),
    wideColumn('Source', 'Reporter', source),
    column('Message', 'What happened', (event) => stringAt(event, 'message').trim()),
    wideColumn('First Seen', 'Time since it happened first', (event, now) => ageOf(firstSeen(event), now)),
    { ...numberColumn('Count', 'How often it happened', (event) => numberAt(event, 'count') || 1), priority: 1 },
    wideColumn('Name', 'Name of the event', (event) => event.metadata.name),
  ],
  selectableFields: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  validate: namespaceProblems,
});

/** `pod/web`: what an event is about. */
function subject(event: KubeObject, field: string): string {
  return `${stringAt(event, field, 'kind').toLowerCase()}/${stringAt(event, field, 'name')}`;
}

/** The moment an event happened last, whichever of its fields has it. */
export function lastSeen(event: KubeObject): string {
  return (
    stringAt(event, 'series', 'lastObservedTime') ||
    stringAt(event, 'lastTimestamp') ||
    stringAt(event, 'deprecatedLastTimestamp') ||
    stringAt(event, 'eventTime') ||
    event.metadata.creationTimestamp
  );
}

/** The machines that an event says it comes from, whichever of its fields has them. */
export function eventReporters(event: KubeObject): readonly string[] {
  const hosts = [
    stringAt(event, 'source', 'host'),
    stringAt(event, 'deprecatedSource', 'host'),
    stringAt(event, 'reportingInstance'),
  ];
  return hosts.filter((host) => host !== '');
}

/** What an event is about, whichever of its fields has it. */
export function eventSubject(event: KubeObject) {
  const field = valueAt(event, 'involvedObject') === undefined ? 'regarding' : 'involvedObject';
  return {
    kind: stringAt(event, field, 'kind'),
    name: stringAt(event, field, 'name'),
    namespace: stringAt(event, field, 'namespace'),
  };
}

function firstSeen(event: KubeObject): string {
  return stringAt(event, 'firstTimestamp') || stringAt(event, 'eventTime') || event.metadata.creationTimestamp;
}

function source(event: KubeObject): string {
  const component = stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent');
  const host = stringAt(event, 'source', 'host');
  return host === '' ? component : `${component}, ${host}`;
}

function namespaceProblems(event: KubeObject): readonly FieldProblem[] {
  const about = valueAt(event, 'involvedObject', 'namespace') ?? '';
  const { namespace = '' } = event.metadata;
  // What belongs to no namespace is reported in "default".
  if (about === namespace || (about === '' && namespace === 'default')) return [];
  return [invalidField('involvedObject.namespace', about, 'does not match event.namespace')];
}

/** Events in the form of `events.k8s.io`. Each is listed in the core group's form too, where `kubectl` looks. */
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
