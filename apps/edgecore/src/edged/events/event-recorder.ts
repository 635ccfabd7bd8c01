import { type EventSubject, type KubeletEvent, nodeSubject, type Pod, podSubject } from '@fenestra/pods';
import { EventCorrelator } from './event-correlator.ts';
import { type EventSenderOptions, eventSender } from './event-sender.ts';

/** Records what happens to pods. Never fails and never waits: events are for people who look, no pod depends on them. */
export interface PodEvents {
  /** With the name of a container if the event is about one. */
  record(pod: Pod, event: KubeletEvent, container?: string): void;
}

/** Records what happens on a node, until `ended`. */
export interface EventRecorder extends PodEvents {
  recordNode(event: KubeletEvent): void;
  readonly ended: Promise<void>;
}

/** What a recorder is made with. */
export interface EventRecorderOptions extends EventSenderOptions {
  readonly now: () => number;
}

/** Makes a recorder, which sends events to the cloud until the signal fires. */
export function eventRecorder(options: EventRecorderOptions, signal: AbortSignal): EventRecorder {
  const { nodeName, now } = options;
  const correlator = new EventCorrelator();
  const sender = eventSender(options, signal);
  const record = (subject: EventSubject, event: KubeletEvent): void => {
    const counted = correlator.correlate(subject, event, now());
    if (counted !== undefined) sender.put(counted);
  };
  return {
    record: (pod, event, container) => record(podSubject(pod, container), event),
    recordNode: (event) => record(nodeSubject(nodeName), event),
    ended: sender.ended,
  };
}

/** For a node that is configured to write no events. */
export const NO_EVENTS: EventRecorder = { record: () => {}, recordNode: () => {}, ended: Promise.resolve() };
