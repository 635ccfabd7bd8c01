import type { ServiceSpec } from '@fenestra/platform';
import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { readStrings, writeValues } from '../registry/registry.ts';
import { REG, encodeStrings } from '../registry/registry-values.ts';
import { WIN32, win32Error } from '../win32-error.ts';
import { SERVICES_KEY } from './service-settings.ts';

const PRIVILEGES = 6;
const VALUE = 'RequiredPrivileges';

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

/** Gives an open service the privileges that its program needs; all of them by naming none. */
export function setPrivileges(native: Native, service: Pointer, { name, rights }: ServiceSpec): void {
  if (hasPrivileges(native, name, rights)) return;
  const names = encodeStrings(wantedPrivileges(rights));
  if (native.services.changePrivileges(service, PRIVILEGES, { names }) !== 0) return;
  const error = native.kernel32.GetLastError();
  if (error !== WIN32.INVALID_LEVEL) throw win32Error(error, `set the privileges of service "${name}"`);
  // A system that knows no such limit is told all the same, where one that does keeps it: there it is read back.
  writeValues(native, keyOf(name), { [VALUE]: { type: REG.MULTI_SZ, bytes: names } });
}

/** Whether a service has exactly the privileges that it should have. */
export function hasPrivileges(native: Native, name: string, rights: ServiceSpec['rights']): boolean {
  return storedPrivileges(native, name).toSorted().join() === wantedPrivileges(rights).toSorted().join();
}

/** What a service is registered with: one that names no privileges has all of them. */
export function readRights(native: Native, name: string): Pick<ServiceSpec, 'rights'> {
  return storedPrivileges(native, name).length === 0 ? { rights: 'all' } : {};
}

function wantedPrivileges(rights: ServiceSpec['rights']): readonly string[] {
  return rights === 'all' ? [] : REQUIRED_PRIVILEGES;
}

/** The manager's own answer holds addresses of texts; the same list is stored where all else of a service is. */
function storedPrivileges(native: Native, name: string): readonly string[] {
  return readStrings(native, keyOf(name), VALUE);
}

function keyOf(name: string): string {
  return `${SERVICES_KEY}\\${name}`;
}
