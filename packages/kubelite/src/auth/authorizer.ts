import type { Decision, PathAccess, ResourceAccess, User } from '../objects/gatekeeper.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { authorizeNode, ownsSigningRequest } from './node-authorizer.ts';
import { ruleAllows } from './rules.ts';
import { AUTHENTICATED, BOOTSTRAPPERS, MASTERS, nodeNameOf } from './users.ts';

const OPEN = /^\/(api|apis|healthz|livez|openapi|readyz|version)(\/|$)/;

/** Decides by rules, and for nodes and bootstrapping machines by what the request is about. */
export function authorize(user: User, access: ResourceAccess, objects: ObjectReader): Decision {
  if (ruleAllows(user, access)) return true;
  const node = nodeNameOf(user);
  if (node !== undefined) return authorizeNode(node, user, access, objects);
  return user.groups.includes(BOOTSTRAPPERS) ? authorizeBootstrap(user, access, objects) : '';
}

/** Whoever is known may look at what the API offers, and how it is. */
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
