import { EDGE_KINDS, type EdgeKind } from '@fenestra/contracts';
import type { Decision, PathAccess, ResourceAccess, User } from '../objects/gatekeeper.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { authorizeNode, ownsSigningRequest } from './node-authorizer.ts';

/** May do everything. */
const MASTERS = 'system:masters';
/** The groups the API gives its powers to. */
export const NODES = 'system:nodes';
const CLOUDCORE = 'system:cloudcore';
export const BOOTSTRAPPERS = 'system:bootstrappers';
const AUTHENTICATED = 'system:authenticated';

const NODE_PREFIX = 'system:node:';

/** The user with the group that everybody known belongs to. */
export function authenticated(user: User): User {
  return { ...user, groups: [...new Set([...user.groups, AUTHENTICATED])] };
}

/** The name of the node a user is, or undefined if it is none. */
export function nodeNameOf(user: User): string | undefined {
  if (!user.groups.includes(NODES) || !user.name.startsWith(NODE_PREFIX)) return undefined;
  return user.name.slice(NODE_PREFIX.length) || undefined;
}

/** The user name a node has. */
export function nodeUserName(node: string): string {
  return NODE_PREFIX + node;
}

const OPEN = /^\/(api|apis|healthz|livez|openapi|readyz|version)(\/|$)/;

/** Decides by rules, and for nodes and bootstrapping machines by what the request is about. */
export function authorize(user: User, access: ResourceAccess, objects: ObjectReader): Decision {
  if (ruleAllows(user, access)) return true;
  const node = nodeNameOf(user);
  if (node !== undefined) return authorizeNode(node, user, access, objects);
  return user.groups.includes(BOOTSTRAPPERS) ? authorizeBootstrap(user, access, objects) : '';
}

/** Anyone who is known may look at what the API offers, and how it is. */
export function authorizePath(user: User, { verb, path }: PathAccess): Decision {
  if (user.groups.includes(MASTERS)) return true;
  if (!['get', 'head'].includes(verb.toLowerCase())) return '';
  return OPEN.test(path) && user.groups.includes(AUTHENTICATED) ? true : '';
}

function authorizeBootstrap(user: User, access: ResourceAccess, objects: ObjectReader): Decision {
  const { group, resource, subresource, verb } = access;
  if (group !== 'certificates.k8s.io' || resource !== 'certificatesigningrequests' || subresource !== '') return '';
  return verb === 'create' ? true : ownsSigningRequest(user, access, objects);
}

/** What a group may do. `*` stands for everything; a subresource is spelled `pods/status`. */
interface Rule {
  readonly group: string;
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'patch', 'update'];
const CRD_GROUPS = new Set(
  Object.values<EdgeKind>(EDGE_KINDS).flatMap(({ group, schema }) => (schema === undefined ? [] : [group])),
);

/** The powers of groups. What nodes and bootstrapping machines may do depends on the object, so it is code elsewhere. */
const RULES: readonly Rule[] = [
  { group: MASTERS, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  ...cloudcore(READ, '', ['*']),
  ...cloudcore(WRITE, '', ['pods', 'nodes', 'events', 'configmaps', 'secrets', 'services', 'endpoints']),
  ...cloudcore(['patch', 'update'], '', ['pods/status', 'nodes/status']),
  ...cloudcore(['create'], '', ['namespaces', 'serviceaccounts', 'serviceaccounts/token', 'pods/eviction']),
  ...cloudcore([...READ, ...WRITE], 'coordination.k8s.io', ['leases']),
  ...cloudcore([...READ, ...WRITE], 'events.k8s.io', ['events']),
  ...cloudcore([...READ, 'create'], 'certificates.k8s.io', ['certificatesigningrequests']),
  ...cloudcore([...READ, ...WRITE], 'apiextensions.k8s.io', ['customresourcedefinitions']),
  ...cloudcore(['create'], 'authentication.k8s.io', ['tokenreviews']),
  ...cloudcore(['create'], 'authorization.k8s.io', ['subjectaccessreviews']),
  // The kinds whose CRDs cloudcore installs.
  ...Array.from(CRD_GROUPS, (apiGroup) => cloudcore(['*'], apiGroup, ['*'])).flat(),
  everybody('authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
  everybody('authentication.k8s.io', ['selfsubjectreviews']),
];

/** Whether a rule lets this user do this. */
function ruleAllows(user: User, access: ResourceAccess): boolean {
  return rulesFor(user).some(
    (rule) =>
      matches(rule.verbs, access.verb) &&
      matches(rule.apiGroups, access.group) &&
      matches(rule.resources, access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`),
  );
}

/** The rules that apply to a user. */
export function rulesFor(user: User): readonly Rule[] {
  return RULES.filter((rule) => user.groups.includes(rule.group));
}

function matches(allowed: readonly string[], wanted: string): boolean {
  return allowed.includes('*') || allowed.includes(wanted);
}

function cloudcore(verbs: readonly string[], apiGroup: string, resources: readonly string[]): readonly Rule[] {
  return [{ group: CLOUDCORE, verbs, apiGroups: [apiGroup], resources }];
}

function everybody(apiGroup: string, resources: readonly string[]): Rule {
  return { group: AUTHENTICATED, verbs: ['create'], apiGroups: [apiGroup], resources };
}
