import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { readStrings } from '../registry/registry.ts';
import { encodeStrings } from '../registry/registry-values.ts';
import { SERVICES_KEY } from './service-settings.ts';
import { sizedQuery } from './sized-query.ts';

const PRIVILEGES = 6;

/**
 * All that is left of LocalSystem's privileges for a service of ours: to own and restore its private files, to link
 * them, to be called over pipes, and to restart the machine when an operator's script wants it. Gone are those by which
 * a program gets over the system itself: to debug others, to load drivers, to act as the system, to make tokens.
 */
const REQUIRED_PRIVILEGES: readonly string[] = [
  'SeBackupPrivilege',
  'SeChangeNotifyPrivilege',
  'SeCreateGlobalPrivilege',
  'SeCreateSymbolicLinkPrivilege',
  'SeImpersonatePrivilege',
  'SeRestorePrivilege',
  'SeShutdownPrivilege',
  'SeTakeOwnershipPrivilege',
];

/** Limits the privileges of an open service; 0 where the system refuses. */
export function limitPrivileges({ services }: Native, service: Pointer): number {
  return services.changePrivileges(service, PRIVILEGES, { names: encodeStrings(REQUIRED_PRIVILEGES) });
}

/** Whether an open service is limited to exactly these; a system that knows no such limit has nothing that differs. */
export function hasLimitedPrivileges(native: Native, service: Pointer, name: string): boolean {
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceConfig2W(service, PRIVILEGES, buffer, size, needed);
  if (sizedQuery(native, call, 'read the privileges of a service') === undefined) return true;
  // The answer holds addresses of texts; the same list is stored where all else of a service is.
  const stored = readStrings(native, `${SERVICES_KEY}\\${name}`, 'RequiredPrivileges');
  return stored.toSorted().join() === REQUIRED_PRIVILEGES.toSorted().join();
}
