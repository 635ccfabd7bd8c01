import { OperatorError } from '@fenestra/kernel';
import { KINDS, stringAt, type KubeApi, type KubeObject } from '@fenestra/kube-api';

/** On a Node whose machine has left: the name is free for another. A node that registers again loses it. */
export const LEFT_ANNOTATION = 'fenestra.dev/left';

/** A machine that leaves, and when it got the certificate it leaves by. */
export interface LeavingNode {
  readonly name: string;
  readonly joinedAt: Date;
}

/**
 * Removes the Node object that the machine has made since it got its certificate. One that was there before, or that
 * may not be deleted, is marked instead.
 */
export async function leaveNode(
  api: KubeApi,
  { name, joinedAt }: LeavingNode,
  signal: AbortSignal,
): Promise<'removed' | 'marked'> {
  const node = await api.find(KINDS.node, { name }, signal);
  if (node === undefined) return 'removed';
  if (new Date(stringAt(node, 'metadata', 'creationTimestamp')) < joinedAt) return mark(api, name, signal);
  try {
    await api.delete(KINDS.node, { name }, { preconditions: { uid: node.metadata.uid ?? '' } }, signal);
  } catch (error) {
    if (hasCode(error, 'API_FORBIDDEN')) return mark(api, name, signal);
    if (!hasCode(error, 'API_NOT_FOUND')) throw error;
  }
  return 'removed';
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
