import { cloudDestinationOf, GROUPS, OPERATIONS, type Message } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { failureStatus, refusedError } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import { answerMessage, apiServerCa, failureReply, refuseApplication } from './answers.ts';
import { handlerOf } from './handler-table.ts';
import { isNamed, readRequest, type NodeRequest, type Reply, type RequestTools } from './node-request.ts';
import { requestBatches, type Batch } from './request-queue.ts';
import { withPatience } from './retry.ts';

/** Brings what nodes say to the Kubernetes API. */
export interface Upstream {
  /** Requests that wait or are under way. */
  readonly waiting: number;
  /** Requests refused because too many waited. */
  readonly refused: number;
}

const LIMITS = { atOnce: 32, atOncePerNode: 4, waitingPerNode: 128, waiting: 16_384 };

/** Starts listening to nodes. Stops when the signal aborts. */
export function startUpstream(tools: RequestTools, log: Logger, signal: AbortSignal): Upstream {
  const { sessions } = tools;
  let refused = 0;
  const say = ({ node, message }: NodeRequest, reply: Reply | undefined): undefined => {
    if (reply !== undefined && !signal.aborted) sessions.send(node, answerMessage(message, reply));
  };
  const batches = requestBatches(LIMITS, async (batch) => {
    const reply = await carryOut(batch, tools, log, signal);
    for (const request of batch.requests) say(request, reply);
  });
  const takeRequest = (node: string, message: Message): Promise<void> | undefined => {
    const request = readRequest(node, message);
    if (request === undefined) return undefined;
    const handler = handlerOf(request);
    if (handler === undefined) return say(request, refuseUnknown(request));
    if (!isNamed(request)) return say(request, failureReply(handler.failure, namelessRequest(request)));
    const answered = batches.add(request, handler);
    if (answered !== undefined) return answered;
    refused++;
    return say(request, failureReply(handler.failure, tooManyRequests(request)));
  };
  const stop = sessions.onMessage((node, message) => {
    const destination = cloudDestinationOf(message);
    if (destination === 'edge-controller') return takeRequest(node, message);
    if (destination === 'api-server-ca') sessions.send(node, apiServerCa(message, tools.api));
    if (isApplication(message)) sessions.send(node, refuseApplication(message));
    return undefined;
  });
  signal.addEventListener('abort', stop, { once: true });
  return {
    get waiting() {
      return batches.waiting;
    },
    get refused() {
      return refused;
    },
  };
}

const ASKING: ReadonlySet<string> = new Set([
  OPERATIONS.query,
  OPERATIONS.insert,
  OPERATIONS.update,
  OPERATIONS.patch,
  OPERATIONS.delete,
]);

function isApplication(message: Message): boolean {
  return cloudDestinationOf(message) === 'dynamic-controller' && message.route.group === GROUPS.dynamicController;
}

async function carryOut(
  { handler, requests }: Batch,
  tools: RequestTools,
  log: Logger,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const latest = requests.at(-1);
  if (latest === undefined) return undefined;
  try {
    return await withPatience(() => handler.handle(latest, tools, signal), signal);
  } catch (error) {
    if (!signal.aborted) logFailure(log, latest, error);
    return failureReply(handler.failure, error);
  }
}

function logFailure(log: Logger, { node, message }: NodeRequest, error: unknown): void {
  const { operation, resource } = message.route;
  const code = error instanceof OperatorError ? error.code : 'unknown';
  const fields = { node, operation, resource, code };
  if (code === 'API_CONFLICT' || code === 'API_NOT_FOUND') log.debug('a request of a node failed', fields);
  else log.warn('a request of a node failed', fields);
}

function tooManyRequests({ node }: NodeRequest): OperatorError {
  const status = failureStatus(429, 'TooManyRequests', `node "${node}" requests too many objects at once`);
  return refusedError(`answer node "${node}"`, 429, JSON.stringify(status));
}

function namelessRequest({ type, operation }: NodeRequest): OperatorError {
  const status = failureStatus(400, 'BadRequest', `a request to ${operation} "${type}" has to name one`);
  return refusedError(`${operation} "${type}"`, 400, JSON.stringify(status));
}

/** Only what waits for an answer gets one. */
function refuseUnknown({ type, operation }: NodeRequest): Reply | undefined {
  if (!ASKING.has(operation)) return undefined;
  const status = failureStatus(405, 'MethodNotAllowed', `nodes cannot ${operation} "${type}" here`);
  return failureReply('bare', refusedError(`${operation} "${type}"`, 405, JSON.stringify(status)));
}
