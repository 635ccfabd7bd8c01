import type { IncomingMessage } from 'node:http';
import type { Gatekeeper, ResourceAccess, User } from '../objects/gatekeeper.ts';
import { StatusError } from '../objects/status-error.ts';
import { forbidden } from '../objects/statuses.ts';
import { credentialsOf, unauthorized } from './credentials.ts';

/** Who sent the request. Throws 401 for nobody we know, and 403 for somebody who wants to be somebody else. */
export async function requireUser(gatekeeper: Gatekeeper, request: IncomingMessage, now: Date): Promise<User> {
  const user = await gatekeeper.authenticate(credentialsOf(request, now));
  if (!user) throw unauthorized();
  if (Object.keys(request.headers).some((name) => name.startsWith('impersonate-')))
    throw new StatusError(403, 'Forbidden', 'impersonation is not supported by the embedded API');
  return user;
}

/** Throws 403 with Kubernetes' sentence unless the user may. */
export function requireAccess(gatekeeper: Gatekeeper, user: User, access: ResourceAccess): void {
  const decision = gatekeeper.authorize(user, access);
  if (decision === true) return;
  const what = access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`;
  const where = access.namespace === '' ? 'at the cluster scope' : `in the namespace "${access.namespace}"`;
  const why = `User "${user.name}" cannot ${access.verb} resource "${what}" in API group "${access.group}" ${where}`;
  const resource = { group: access.group, plural: access.resource };
  throw forbidden(resource, access.name, decision === '' ? why : `${why}: ${decision}`);
}

/** The same for a path that is no resource. */
export function requirePath(gatekeeper: Gatekeeper, user: User, verb: string, path: string): void {
  const decision = gatekeeper.authorizePath(user, { verb, path });
  if (decision === true) return;
  const why = `User "${user.name}" cannot ${verb} path "${path}"`;
  throw new StatusError(403, 'Forbidden', `forbidden: ${decision === '' ? why : `${why}: ${decision}`}`, {});
}
