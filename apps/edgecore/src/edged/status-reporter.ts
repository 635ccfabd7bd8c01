import {
  GROUPS,
  type Message,
  newMessage,
  objectResource,
  OPERATIONS,
  RESOURCE_TYPES,
  SOURCES,
} from '@fenestra/contracts';
import { changesReadiness, type Pod, type PodStatus, statusPatch } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { HubLink } from '../hub/hub-link.ts';
import { type CloudAnswer, isFinal, isNotFound } from '../meta/cloud-answer.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { failureFields } from '../modules/describe-failure.ts';
import { createAlarm, pause } from '../modules/waiting.ts';

/** Tells the cloud how the pods of this node are. */
export interface StatusReporter {
  /** Reports a status, now or when the cloud is back. A newer one replaces one that still waits. */
  report(pod: Pod, status: PodStatus): void;
  /** Reports the last status, then has the cloud forget the pod, of which nothing is left on this node. */
  reportEnd(pod: Pod, status: PodStatus): void;
  /** Reports the last status of a pod again: the cloud knows the pod under another uid than before. */
  repeat(uid: string): void;
  /** Forgets a pod that the cloud has forgotten. */
  forget(uid: string): void;
}

/** What a reporter is made with. */
export interface StatusReporterOptions {
  readonly hub: HubLink;
  readonly memory: Pick<NodeMemory, 'request'>;
  /** The uid under which the cloud knows a pod; a status waits while it knows none. */
  readonly uidInCloud: (pod: Pod) => string | undefined;
  readonly log: Logger;
}

/** What the cloud has taken, and for which pod of the cloud. */
interface Accepted {
  readonly uidInCloud: string;
  readonly status: PodStatus;
}

interface Report {
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly hasEnded: boolean;
}

const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 2_000;
/** Between two messages, so that a node with many pods does not flood a cloud that has just come back. */
const PAUSE_MS = 10;

/** Makes a reporter, which reports until the signal fires. */
export function statusReporter(
  options: StatusReporterOptions,
  signal: AbortSignal,
): StatusReporter & { readonly ended: Promise<void> } {
  const waiting = new Map<string, Report>();
  const accepted = new Map<string, Accepted>();
  const alarm = createAlarm();
  const put = (report: Report): void => {
    waiting.set(report.pod.metadata.uid, report);
    alarm.ring();
  };
  const latest = new Map<string, Report>();
  const stop = options.hub.onConnected(() => {
    // Another cloud, or the same one with an older database, may not have what was accepted before.
    accepted.clear();
    for (const [uid, report] of latest) waiting.set(uid, report);
    alarm.ring();
  });
  const remember = (report: Report): void => {
    const { uid } = report.pod.metadata;
    const before = latest.get(uid);
    latest.set(uid, report);
    if (before?.hasEnded !== report.hasEnded || statusPatch(before.status, report.status, uid) !== undefined)
      put(report);
  };
  const ended = keepReporting({ ...options, waiting, accepted, alarm }, signal).finally(stop);
  return {
    report: (pod, status) => remember({ pod, status, hasEnded: false }),
    reportEnd: (pod, status) => remember({ pod, status, hasEnded: true }),
    repeat(uid) {
      const report = latest.get(uid);
      if (report !== undefined) put(report);
    },
    forget(uid) {
      for (const reports of [waiting, latest, accepted]) reports.delete(uid);
    },
    ended,
  };
}

interface Reporting extends StatusReporterOptions {
  readonly waiting: Map<string, Report>;
  readonly accepted: Map<string, Accepted>;
  readonly alarm: ReturnType<typeof createAlarm>;
}

async function keepReporting(reporting: Reporting, signal: AbortSignal): Promise<void> {
  const { hub, log, waiting, alarm } = reporting;
  while (!signal.aborted) {
    const next = hub.connected ? nextReport(reporting) : undefined;
    if (next === undefined) {
      await alarm.wait(Infinity, signal);
      continue;
    }
    const { uid } = next.pod.metadata;
    waiting.delete(uid);
    try {
      await send(reporting, next, signal);
      await pause(PAUSE_MS, signal);
    } catch (cause) {
      if (signal.aborted) return;
      if (!waiting.has(uid)) waiting.set(uid, next);
      log.debug('Cannot report the status of a pod now', failureFields(cause));
      await alarm.wait(RETRY_MS, signal);
    }
  }
}

/** A pod that became ready, or is not ready any more, comes first. */
function nextReport({ waiting, accepted, uidInCloud }: Reporting): Report | undefined {
  const reports = [...waiting.values()].filter(({ pod }) => uidInCloud(pod) !== undefined);
  const urgent = reports.find(({ pod, status }) => changesReadiness(accepted.get(pod.metadata.uid)?.status, status));
  return urgent ?? reports[0];
}

async function send(reporting: Reporting, { pod, status, hasEnded }: Report, signal: AbortSignal): Promise<void> {
  const { memory, accepted, uidInCloud: uidOf, log } = reporting;
  const { uid } = pod.metadata;
  const uidInCloud = uidOf(pod) ?? uid;
  const before = accepted.get(uid);
  const patch = statusPatch(before?.uidInCloud === uidInCloud ? before.status : undefined, status, uidInCloud);
  if (patch !== undefined) {
    const message = podMessage(OPERATIONS.patch, RESOURCE_TYPES.podPatch, pod, JSON.stringify(patch));
    const answer = await memory.request(message, ANSWER_TIMEOUT_MS, signal);
    if (isTaken(answer, pod, log)) accepted.set(uid, { uidInCloud, status });
  }
  if (!hasEnded) return;
  const content = { gracePeriodSeconds: 0, preconditions: { uid } };
  isTaken(
    await memory.request(podMessage(OPERATIONS.delete, RESOURCE_TYPES.pod, pod, content), ANSWER_TIMEOUT_MS, signal),
    pod,
    log,
  );
}

/** Whether the cloud took it. A refusal that trying again cannot change is noted; any other throws. */
function isTaken(answer: CloudAnswer, { metadata }: Pod, log: Logger): boolean {
  if (answer.outcome !== 'failure') return true;
  const { status } = answer;
  if (!isFinal(status)) throw new Error(status.message ?? 'the cloud gave no reason');
  if (!isNotFound(status)) {
    log.warn('The cloud refused the status of a pod', {
      pod: `${metadata.namespace}/${metadata.name}`,
      reason: status.message ?? '',
    });
  }
  return false;
}

function podMessage(operation: string, type: string, { metadata }: Pod, content: Message['content']): Message {
  const resource = objectResource(metadata.namespace, type, metadata.name);
  return newMessage({ source: SOURCES.edged, group: GROUPS.meta, operation, resource, content });
}
