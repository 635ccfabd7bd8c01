import type { Message } from '@fenestra/contracts';
import { OperatorError, isJsonObject, type JsonObject } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { type CloudAnswer, isNotFound } from '../meta/cloud-answer.ts';
import { type KubeObject, textOf } from '../meta/kube-object.ts';
import type { Machine } from './machine.ts';
import type { NodeCondition } from './node-conditions.ts';
import { nodeMessage, patchNode } from './node-messages.ts';
import { nodeLabels, nodeObject, type NodeStatus, saysTheSame, statusPatch } from './node-status.ts';
import type { NodeSettings } from './node-settings.ts';

/** What keeping the cloud's copy of the node takes. */
export interface StatusKeeperOptions {
  readonly nodeName: string;
  readonly settings: NodeSettings;
  readonly log: Logger;
  readonly now: () => Date;
  /** The Node as the cloud sent it last, if it ever did. */
  readonly knownNode: () => KubeObject | undefined;
  readonly ask: (message: Message, signal: AbortSignal) => Promise<CloudAnswer>;
  /** Says how the node is, given the conditions it reported last. */
  readonly read: (previous: readonly NodeCondition[], signal: AbortSignal) => Promise<Reading>;
}

/** The machine, and the status made from it. */
export interface Reading {
  readonly machine: Machine;
  readonly status: NodeStatus;
}

/** Keeps the Node in the cloud as this node is. */
export interface StatusKeeper {
  readonly isRegistered: boolean;
  /** The last status that the cloud has taken; none while it has no such Node. */
  readonly reported: NodeStatus | undefined;
  /** Registers the node if need be, and reports its status if it is news or due; throws if the cloud did not confirm. */
  report(signal: AbortSignal): Promise<void>;
  /** Says that the cloud may have forgotten what it was sent: the next report is a whole one. */
  forget(): void;
}

/** Makes a keeper that has reported nothing to the cloud yet. */
export function statusKeeper(options: StatusKeeperOptions): StatusKeeper {
  const { settings, now } = options;
  let isRegistered = !settings.register;
  let last: NodeStatus | undefined;
  let confirmed: { readonly status: NodeStatus; readonly at: number } | undefined;
  let reported: NodeStatus | undefined;
  let forgotten = 0;
  const isDue = (status: NodeStatus): boolean =>
    confirmed === undefined ||
    now().getTime() - confirmed.at >= settings.reportMs ||
    !saysTheSame(status, confirmed.status);
  const tell = async (reading: Reading, signal: AbortSignal): Promise<boolean> => {
    if (!isRegistered) await register(options, reading, signal);
    isRegistered = true;
    const at = now().getTime();
    const asked = forgotten;
    const isThere = await patchStatus(options, reading.status, confirmed?.status, signal);
    reported = isThere ? reading.status : undefined;
    // What was confirmed before the cloud may have forgotten it is not known to be there.
    confirmed = isThere && asked === forgotten ? { status: reading.status, at } : undefined;
    isRegistered = isThere || !settings.register;
    return isThere;
  };
  return {
    get isRegistered() {
      return isRegistered;
    },
    get reported() {
      return reported;
    },
    forget() {
      forgotten += 1;
      confirmed = undefined;
    },
    async report(signal) {
      const previous = last?.conditions ?? conditionsOf(options.knownNode());
      const reading = await options.read(previous, signal);
      last = reading.status;
      if (isRegistered && !isDue(reading.status)) return;
      // Someone may have deleted the Node: then it is registered again, once.
      if (!(await tell(reading, signal)) && !isRegistered) await tell(reading, signal);
    },
  };
}

/** Makes the Node; one that is there already only gets the labels it lacks. */
async function register(
  options: StatusKeeperOptions,
  { machine, status }: Reading,
  signal: AbortSignal,
): Promise<void> {
  const { nodeName, settings, ask, log } = options;
  const answer = await ask(nodeMessage('insert', nodeName, nodeObject(settings, machine.facts, status)), signal);
  if (answer.outcome !== 'failure') return log.info('The node is registered', { node: nodeName });
  const { code, reason, message } = answer.status;
  if (reason !== 'AlreadyExists' && code !== 409) throw refused('register this node', message);
  log.info('The node was registered before', { node: nodeName });
  await labelNode(options, machine, signal);
}

async function labelNode(options: StatusKeeperOptions, machine: Machine, signal: AbortSignal): Promise<void> {
  const { nodeName: name, settings, ask, knownNode } = options;
  const labels = nodeLabels(settings, machine.facts);
  const present = knownNode()?.metadata['labels'];
  const known = isJsonObject(present) ? present : {};
  if (Object.entries(labels).every(([key, value]) => known[key] === value)) return;
  const answer = await ask(
    nodeMessage('update', name, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } }),
    signal,
  );
  if (answer.outcome === 'failure') throw refused('label this node', answer.status.message);
}

/** Returns false if there is no such Node. */
async function patchStatus(
  { nodeName, ask }: StatusKeeperOptions,
  status: NodeStatus,
  before: NodeStatus | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask(patchNode(nodeName, statusPatch(status, before)), signal);
  if (answer.outcome !== 'failure') return true;
  if (isNotFound(answer.status)) return false;
  throw refused('report the status of this node', answer.status.message);
}

function refused(action: string, reason: string | undefined): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot ${action}: ${reason ?? 'the cloud gave no reason'}`, {
    hint: "Look at the cloud's log.",
  });
}

/** The conditions in a Node, as far as they are of the form this node writes. */
function conditionsOf(node: KubeObject | undefined): readonly NodeCondition[] {
  const status = node?.['status'];
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((condition) => (isJsonObject(condition) ? readCondition(condition) : []));
}

function readCondition(fields: JsonObject): readonly NodeCondition[] {
  const { status } = fields;
  if (status !== 'True' && status !== 'False') return [];
  const text = (field: string): string => textOf(fields, field) ?? '';
  return [
    {
      type: text('type'),
      status,
      reason: text('reason'),
      message: text('message'),
      lastTransitionTime: text('lastTransitionTime'),
      lastHeartbeatTime: text('lastHeartbeatTime'),
    },
  ];
}
