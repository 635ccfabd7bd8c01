import { stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { column, numberColumn, wideColumn } from '../printing/columns.ts';
import { ageOf } from '../printing/human-duration.ts';
import { defineKind } from './define-kind.ts';
import { numberAt } from './json.ts';
import { invalidField } from './problems.ts';

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
export function subject(event: KubeObject, field: string): string {
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
  // What belongs to no namespace is told about in "default".
  if (about === namespace || (about === '' && namespace === 'default')) return [];
  return [invalidField('involvedObject.namespace', about, 'does not match event.namespace')];
}
