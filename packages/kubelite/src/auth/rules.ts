import type { ResourceAccess, User } from '../objects/gatekeeper.ts';
import { AUTHENTICATED, CLOUDCORE, MASTERS } from './users.ts';

/** What a group may do. `*` stands for everything; a subresource is spelled `pods/status`. */
export interface Rule {
  readonly group: string;
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'patch', 'update'];
const KUBEEDGE_GROUPS = [
  'apps.kubeedge.io',
  'devices.kubeedge.io',
  'operations.kubeedge.io',
  'policy.kubeedge.io',
  'reliablesyncs.kubeedge.io',
  'rules.kubeedge.io',
];

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
  ...KUBEEDGE_GROUPS.flatMap((apiGroup) => cloudcore(['*'], apiGroup, ['*'])),
  everybody('authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
  everybody('authentication.k8s.io', ['selfsubjectreviews']),
];

/** Whether a rule lets this user do this. */
export function ruleAllows(user: User, access: ResourceAccess): boolean {
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
