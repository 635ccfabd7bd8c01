import { grantedReferences, referencedNames, type PodReference } from '@fenestra/contracts';
import { stringAt } from '../objects/json.ts';
import type { Decision, ResourceAccess, User } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { requiredValue } from '@fenestra/contracts/objects';

/** What pods are found by. */
export const PODS = { group: '', plural: 'pods' };
const REQUESTS = { group: 'certificates.k8s.io', plural: 'certificatesigningrequests' };
const READ = ['get', 'list', 'watch'];

/** Everything a node may need: itself, the pods bound to it, and what those pods refer to. */
export function authorizeNode(node: string, user: User, access: ResourceAccess, objects: ObjectReader): Decision {
  const request: NodeRequest = { node, user, access, objects };
  const judge = JUDGES[`${access.group}/${access.resource}`];
  return judge?.(request) ?? '';
}

interface NodeRequest {
  readonly node: string;
  readonly user: User;
  readonly access: ResourceAccess;
  readonly objects: ObjectReader;
}

const JUDGES: Readonly<Record<string, (request: NodeRequest) => Decision>> = {
  '/nodes': judgeNode,
  '/pods': judgePod,
  '/configmaps': (request) => judgeReferenced(request, 'ConfigMap'),
  '/secrets': (request) => judgeReferenced(request, 'Secret'),
  '/serviceaccounts': judgeServiceAccount,
  // Containers get the services of their namespace.
  '/services': ({ access }) => (READ.includes(access.verb) && access.subresource === '' ? true : ''),
  '/events': judgeEvent,
  'events.k8s.io/events': judgeEvent,
  'coordination.k8s.io/leases': judgeLease,
  'certificates.k8s.io/certificatesigningrequests': judgeSigningRequest,
  'authentication.k8s.io/tokenreviews': ({ access }) => (access.verb === 'create' ? true : ''),
  'authorization.k8s.io/subjectaccessreviews': ({ access }) => (access.verb === 'create' ? true : ''),
};

function judgeNode({ node, access }: NodeRequest): Decision {
  // The name of a new object is not in the path: admission looks at it.
  if (access.verb === 'create' && access.subresource === '') return true;
  if (!['', 'status'].includes(access.subresource)) return '';
  if (!['get', 'list', 'patch', 'update', 'watch'].includes(access.verb)) return '';
  return access.name === node ? true : `node "${node}" can only access its own Node object`;
}

function judgePod({ node, access, objects }: NodeRequest): Decision {
  if (access.verb === 'create' && access.subresource === '') return true;
  if (['list', 'watch'].includes(access.verb)) {
    return requiredValue(access.fields, 'spec.nodeName') === node
      ? true
      : 'can only list/watch pods with spec.nodeName field selector';
  }
  const allowed = { '': ['delete', 'get'], status: ['get', 'patch', 'update'], eviction: ['create'] };
  const verbs = Object.entries(allowed).find(([subresource]) => subresource === access.subresource)?.[1] ?? [];
  if (!verbs.includes(access.verb)) return '';
  const pod = objects.get(PODS, { namespace: access.namespace, name: access.name });
  return pod !== undefined && runsOn(pod, node) ? true : noRelationship(node);
}

function judgeReferenced(request: NodeRequest, kind: PodReference['kind']): Decision {
  const { node, access } = request;
  if (!READ.includes(access.verb) || access.subresource !== '') return '';
  if (access.name === '' || access.namespace === '') return 'can only read resources of this type by name';
  return needs(request, kind) ? true : noRelationship(node);
}

function judgeServiceAccount(request: NodeRequest): Decision {
  const { node, access } = request;
  if (access.subresource !== 'token') return judgeReferenced(request, 'ServiceAccount');
  if (access.verb !== 'create') return '';
  return needs(request, 'ServiceAccount') ? true : noRelationship(node);
}

/** Whether a pod of the node refers to the object of the request. */
function needs({ node, access, objects }: NodeRequest, kind: PodReference['kind']): boolean {
  const { namespace, name } = access;
  const onNode = [{ field: 'spec.nodeName', equal: true, value: node }];
  const pods = objects.list(PODS, { namespace, fields: onNode });
  return pods.some((pod) => referencedNames(grantedReferences(pod), kind).includes(name));
}

function judgeEvent({ access }: NodeRequest): Decision {
  return ['create', 'patch', 'update'].includes(access.verb) && access.subresource === '' ? true : '';
}

function judgeLease({ node, access }: NodeRequest): Decision {
  if (access.namespace !== 'kube-node-lease') return 'can only access leases in the "kube-node-lease" system namespace';
  if (access.verb === 'create') return true;
  const verb = ['delete', 'get', 'patch', 'update'].includes(access.verb);
  return verb && access.name === node ? true : 'can only access node lease with the same name as the requesting node';
}

function judgeSigningRequest({ user, access, objects }: NodeRequest): Decision {
  if (access.subresource !== '') return '';
  return access.verb === 'create' ? true : ownsSigningRequest(user, access, objects);
}

/** Whether a read is about a certificate signing request that this very user made. */
export function ownsSigningRequest(user: User, access: ResourceAccess, objects: ObjectReader): Decision {
  if (!READ.includes(access.verb)) return '';
  const request = objects.get(REQUESTS, { namespace: '', name: access.name });
  return request !== undefined && stringAt(request, 'spec', 'username') === user.name ? true : '';
}

/** Whether a pod is bound to a node. */
export function runsOn(pod: KubeObject, node: string): boolean {
  return stringAt(pod, 'spec', 'nodeName') === node;
}

function noRelationship(node: string): string {
  return `no relationship found between node '${node}' and this object`;
}
