import type { User } from '../objects/gatekeeper.ts';

/** May do everything. */
export const MASTERS = 'system:masters';
/** The groups the API gives its powers to. */
export const NODES = 'system:nodes';
export const CLOUDCORE = 'system:cloudcore';
export const BOOTSTRAPPERS = 'system:bootstrappers';
export const AUTHENTICATED = 'system:authenticated';

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
