import type { Message } from '@fenestra/contracts';
import { OperatorError, isJsonObject, type JsonObject } from '@fenestra/kernel';
import { type CloudAnswer, isNotFound } from '../meta/cloud-answer.ts';
import type { KubeObject } from '../meta/kube-object.ts';
import { leaseMessage } from './node-messages.ts';

/** What renewing a lease takes. */
export interface LeaseOptions {
  readonly nodeName: string;
  readonly durationSeconds: number;
  readonly now: () => Date;
  /** The uid of the Node, if it is known: with the Node the lease goes. */
  readonly nodeUid: () => string | undefined;
  readonly ask: (message: Message, signal: AbortSignal) => Promise<CloudAnswer>;
}

/** Renews the lease once; throws if the cloud did not confirm it. */
export type LeaseRenewal = (signal: AbortSignal) => Promise<void>;

/** The sign of life by which a cluster knows that a node is there. Made if it is missing, read again if it was changed. */
export function leaseRenewal(options: LeaseOptions): LeaseRenewal {
  const { nodeName, ask } = options;
  let latest: KubeObject | undefined;
  return async (signal) => {
    const known = latest;
    // Until the cloud has confirmed the renewal nothing is known: the next try begins with a question.
    latest = undefined;
    const answer = known && (await ask(leaseMessage('update', nodeName, renewed(options, known)), signal));
    latest = answer?.outcome === 'object' ? answer.object : await renewAnew(options, signal);
  };
}

async function renewAnew(options: LeaseOptions, signal: AbortSignal): Promise<KubeObject> {
  const { nodeName, ask } = options;
  const current = await readLease(options, signal);
  const lease = renewed(options, current);
  const operation = current === undefined ? 'insert' : 'update';
  return leaseIn(await ask(leaseMessage(operation, nodeName, lease), signal));
}

async function readLease({ nodeName, ask }: LeaseOptions, signal: AbortSignal): Promise<KubeObject | undefined> {
  const answer = await ask(leaseMessage('query', nodeName, null), signal);
  if (answer.outcome === 'failure' && isNotFound(answer.status)) return undefined;
  return leaseIn(answer);
}

function leaseIn(answer: CloudAnswer): KubeObject {
  if (answer.outcome === 'object') return answer.object;
  const reason = answer.outcome === 'failure' ? answer.status.message : undefined;
  throw new OperatorError(
    'MESSAGE_INVALID',
    `Cannot renew the lease of this node: ${reason ?? 'the response contains no lease'}`,
    {
      hint: "Look at the cloud's log.",
    },
  );
}

function renewed(options: LeaseOptions, current: KubeObject | undefined): JsonObject {
  const { nodeName, durationSeconds, now, nodeUid } = options;
  const uid = nodeUid();
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: uid ?? '' };
  const owners = uid === undefined ? {} : { ownerReferences: [owner] };
  const metadata = current?.metadata ?? { name: nodeName, namespace: 'kube-node-lease' };
  const spec = isJsonObject(current?.['spec']) ? current['spec'] : {};
  return {
    ...current,
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...metadata, ...owners },
    spec: { ...spec, holderIdentity: nodeName, leaseDurationSeconds: durationSeconds, renewTime: micros(now()) },
  };
}

/** RFC 3339 with microseconds, as leases have it. */
function micros(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
