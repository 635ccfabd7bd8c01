import { Lease, readContent, reportProblem } from '@fenestra/contracts';
import { KINDS, type KubeObject } from '@fenestra/kube-api';
import { wrapped } from '../answers.ts';
import { forbid, objectNameOf, requireOwnName, type NodeRequest, type RequestHandler } from '../node-request.ts';

const LEASE_NAMESPACE = 'kube-node-lease';

/** A node gives its first sign of life. */
export const createLease: RequestHandler = {
  failure: 'wrapped',
  handle: async (request, { api }, signal) => wrapped(await api.create(KINDS.lease, ownLease(request), signal)),
};

/** Renews it. What waits while the API server is slow is overtaken by the latest. */
export const updateLease: RequestHandler = {
  failure: 'wrapped',
  latestOnly: true,
  handle: async (request, { api }, signal) => wrapped(await api.update(KINDS.lease, ownLease(request), signal)),
};

/** Reads its own. */
export const queryLease: RequestHandler = {
  failure: 'wrapped',
  async handle(request, { api }, signal) {
    requireOwnLease(request);
    return wrapped(await api.get(KINDS.lease, objectNameOf(request), signal));
  },
};

function requireOwnLease(request: NodeRequest): void {
  requireOwnName(request);
  if (request.namespace !== LEASE_NAMESPACE) forbid(request, `leases of nodes are in "${LEASE_NAMESPACE}"`);
}

function ownLease(request: NodeRequest): KubeObject {
  requireOwnLease(request);
  const lease = readContent(Lease, request.message);
  const problem = reportProblem(lease, request.node);
  if (problem !== undefined) forbid(request, problem);
  const { resourceVersion, uid, ownerReferences } = lease.metadata;
  const metadata = { name: request.name, namespace: LEASE_NAMESPACE };
  return {
    metadata: {
      ...metadata,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(uid === undefined ? {} : { uid }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
    spec: lease.spec ?? {},
  };
}
