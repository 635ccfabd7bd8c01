import { parseResource, RESOURCE_TYPES, type Message } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { failureStatus, refusedError, type KubeApi, type ObjectName } from '@fenestra/kube-api';
import type { NodeSessions } from '../../hub/node-sessions.ts';
import type { RecordBook } from '../../sync/record-book.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { Downstream } from '../downstream/downstream.ts';

/** Something a node asks of the Kubernetes API. */
export interface NodeRequest {
  readonly node: string;
  readonly message: Message;
  readonly operation: string;
  readonly type: string;
  readonly namespace: string | undefined;
  /** Empty where the message is about a whole type. */
  readonly name: string;
}

/** What requests are answered with. */
export interface RequestTools {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly cluster: ClusterView;
  readonly book: RecordBook;
  readonly downstream: Downstream;
  readonly advertiseAddress: string | undefined;
}

/** The answer to a node. */
export interface Reply {
  readonly content: Json;
  readonly resourceVersion?: string | undefined;
}

/** How a failure is reported: inside an answer with object and error, bare, as text, or not at all. */
export type FailureForm = 'wrapped' | 'bare' | 'text' | 'silent';

/** One thing nodes ask for. What it throws becomes the answer. */
export interface RequestHandler {
  readonly failure: FailureForm;
  /** Requests that wait are replaced by later ones of the same node about the same object, and answered together. */
  readonly latestOnly?: boolean;
  handle(request: NodeRequest, tools: RequestTools, signal: AbortSignal): Promise<Reply | undefined>;
}

/** Reads what a message asks for; undefined if it is not about an object. */
export function readRequest(node: string, message: Message): NodeRequest | undefined {
  const resource = parseResource(message.route.resource);
  if (resource.form !== 'object') return undefined;
  const { type, name = '', namespace } = resource;
  return { node, message, operation: message.route.operation, type, namespace: namespace ?? undefined, name };
}

/** Whether a text can be the name of anything: without one, or with a step through folders, a path means something else. */
export function isName(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..';
}

/** Whether a request names what it is about, as all but lists of pod statuses have to. */
export function isNamed({ type, namespace = 'null', name }: NodeRequest): boolean {
  return isName(namespace) && (isName(name) || (type === RESOURCE_TYPES.podStatus && name === ''));
}

/** The object a request is about. */
export function objectNameOf({ namespace, name }: NodeRequest): ObjectName {
  return { namespace, name };
}

/** Refuses: a node may only speak for itself. */
export function forbid({ node, message }: NodeRequest, reason: string): never {
  const { operation, resource } = message.route;
  const status = failureStatus(403, 'Forbidden', `node "${node}" may not ${operation} "${resource}": ${reason}`);
  throw refusedError(`${operation} "${resource}" for node "${node}"`, 403, JSON.stringify(status));
}

/** Refuses a request about any node but the one that asks. */
export function requireOwnName(request: NodeRequest): void {
  if (request.name !== request.node) forbid(request, 'it belongs to another node');
}
