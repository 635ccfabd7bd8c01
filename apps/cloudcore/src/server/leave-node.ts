import { isReservedLabel } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, listAt, stringAt, valueAt, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import type { NodeSessions } from '../hub/node-sessions.ts';

/** What makes a node an edge node. */
export const EDGE_LABEL = 'node-role.kubernetes.io/edge';

/** Labels that a node agent of KubeEdge gives its node, although they are reserved. */
const AGENT_LABELS: ReadonlySet<string> = new Set([EDGE_LABEL, 'node-role.kubernetes.io/agent']);

/** On a Node whose machine has left: the name is free for another. A node that registers again loses it. */
export const LEFT_ANNOTATION = 'fenestra.dev/left';

/** A machine that leaves, when it got the certificate it leaves by, and the hash of that certificate's key. */
export interface LeavingNode {
  readonly name: string;
  readonly joinedAt: Date;
  readonly keyHash: string;
}

/** What became of the Node object of a machine that leaves. */
export type LeaveOutcome = 'removed' | 'marked' | 'in use';

/** Where a machine leaves. */
export interface LeftCloud {
  readonly api: KubeApi;
  readonly sessions: Pick<NodeSessions, 'keyOf' | 'disconnect'>;
}

/** Frees the machine's name and ends its session. Does nothing if a machine with another key is connected under it. */
export async function leaveCloud(
  { api, sessions }: LeftCloud,
  leaving: LeavingNode,
  signal: AbortSignal,
): Promise<LeaveOutcome> {
  const { name, keyHash } = leaving;
  if ((sessions.keyOf(name) ?? keyHash) !== keyHash) return 'in use';
  const outcome = await leaveNode(api, leaving, signal);
  if (sessions.keyOf(name) === keyHash) sessions.disconnect(name, 'the node has left');
  return outcome;
}

/**
 * Removes the Node object that the machine has made since it got its certificate. One that was there before, that an
 * administrator has changed, or that may not be deleted, is marked instead.
 */
async function leaveNode(
  api: KubeApi,
  { name, joinedAt }: LeavingNode,
  signal: AbortSignal,
): Promise<'removed' | 'marked'> {
  const node = await api.find(KINDS.node, { name }, signal);
  if (node === undefined) return 'removed';
  const isOlder = new Date(stringAt(node, 'metadata', 'creationTimestamp')) < joinedAt;
  if (isOlder || isRestricted(node)) return mark(api, name, signal);
  try {
    await api.delete(KINDS.node, { name }, { preconditions: { uid: node.metadata.uid ?? '' } }, signal);
  } catch (error) {
    if (hasCode(error, 'API_FORBIDDEN')) return mark(api, name, signal);
    if (!hasCode(error, 'API_NOT_FOUND')) throw error;
  }
  return 'removed';
}

/**
 * Whether an administrator decides by the Node object which pods the node gets. A node that could remove the object would
 * come back without its taints.
 */
function isRestricted(node: KubeObject): boolean {
  const taints = listAt(node, 'spec', 'taints').filter((taint) => !isConditionTaint(stringAt(taint, 'key')));
  return taints.length > 0 || administratorsLabels(node).length > 0 || valueAt(node, 'spec', 'unschedulable') === true;
}

/** Whether only an administrator may give an edge node this label. */
export function isAdministratorsLabel(name: string): boolean {
  return isReservedLabel(name) && !AGENT_LABELS.has(name);
}

/** Kubernetes itself sets and removes these, as the conditions of the node change. */
function isConditionTaint(key: string): boolean {
  return key.startsWith('node.kubernetes.io/');
}

/**
 * Whether a machine needs a token for the name to become this node: one has joined and has not left, or an administrator
 * has given the Node object labels by which it draws pods and their Secrets.
 */
export function isTaken(node: KubeObject | undefined): boolean {
  return isJoined(node) || administratorsLabels(node).length > 0;
}

function administratorsLabels(node: KubeObject | undefined): readonly string[] {
  return Object.keys(node?.metadata.labels ?? {}).filter(isAdministratorsLabel);
}

/** Whether a Node object stands for a machine that has not left. */
export function isJoined(node: KubeObject | undefined): boolean {
  return node !== undefined && node.metadata.annotations?.[LEFT_ANNOTATION] === undefined;
}

async function mark(api: KubeApi, name: string, signal: AbortSignal): Promise<'removed' | 'marked'> {
  const body = { metadata: { annotations: { [LEFT_ANNOTATION]: 'true' } } };
  try {
    await api.patch(KINDS.node, { name }, { type: 'merge', body }, signal);
    return 'marked';
  } catch (error) {
    if (hasCode(error, 'API_NOT_FOUND')) return 'removed';
    throw error;
  }
}

function hasCode(error: unknown, code: OperatorError['code']): boolean {
  return error instanceof OperatorError && error.code === code;
}
