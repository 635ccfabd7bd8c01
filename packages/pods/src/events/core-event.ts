import type { JsonObject } from '@fenestra/kernel';
import type { Pod } from '../pod/pod.ts';
import { apiTime } from '../status/status-facts.ts';
import type { KubeletEvent } from './kubelet-event.ts';

/** What an event is about. */
export interface EventSubject {
  readonly kind: 'Pod' | 'Node';
  /** Empty for a node. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The part of a pod, such as `spec.containers{main}`. */
  readonly fieldPath?: string;
}

/** An event with what came before it. Times are milliseconds since 1970. */
export interface CountedEvent extends KubeletEvent {
  /** The name of the object that holds it: the same one for every repetition. */
  readonly name: string;
  readonly subject: EventSubject;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What wrote an event, for tools that look for the events of kubelets. */
const COMPONENT = 'kubelet';
const NODE_NAMESPACE = 'default';

/** The namespace of the object that holds an event. */
export function eventNamespace({ subject }: CountedEvent): string {
  return subject.namespace === '' ? NODE_NAMESPACE : subject.namespace;
}

/** An event of a node as an object of the API. */
export function coreEvent(event: CountedEvent, node: string): JsonObject {
  const { kind, namespace, name, uid, fieldPath } = event.subject;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: event.name, namespace: eventNamespace(event) },
    involvedObject: {
      apiVersion: 'v1',
      kind,
      name,
      uid,
      ...(namespace !== '' && { namespace }),
      ...(fieldPath !== undefined && { fieldPath }),
    },
    type: event.type,
    reason: event.reason,
    firstTimestamp: apiTime(event.firstAt),
    source: { component: COMPONENT, host: node },
    reportingComponent: COMPONENT,
    reportingInstance: node,
    ...eventRepetition(event),
  };
}

/** The part of an event that a repetition changes. */
export function eventRepetition({ count, lastAt, message }: CountedEvent): JsonObject {
  return { count, lastTimestamp: apiTime(lastAt), message };
}

/** What an event about a pod, or about one of its containers, is about. */
export function podSubject({ metadata, spec }: Pod, container?: string): EventSubject {
  const { namespace, name, uid } = metadata;
  const fieldPath = container === undefined ? undefined : fieldPathOf(spec, container);
  return { kind: 'Pod', namespace, name, uid, ...(fieldPath !== undefined && { fieldPath }) };
}

/** What an event about a node is about. A kubelet gives the name of the node as its uid, and tools look for that. */
export function nodeSubject(node: string): EventSubject {
  return { kind: 'Node', namespace: '', name: node, uid: node };
}

const LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

function fieldPathOf(spec: Pod['spec'], container: string): string | undefined {
  const list = LISTS.find((each) => spec[each]?.some(({ name }) => name === container));
  return list === undefined ? undefined : `spec.${list}{${container}}`;
}
