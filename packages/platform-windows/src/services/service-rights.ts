import type { ServiceSpec } from '@fenestra/platform';
import { sddlFromDescriptor, withDescriptor } from '../access/security-descriptor.ts';
import { parseSddl } from '../access/sddl.ts';
import type { Pointer, Native } from '../native.ts';
import { must, WIN32, win32Error } from '../win32-error.ts';
import { readStrings, writeValues, REG, encodeStrings } from '../registry/registry.ts';
import { sizedQuery, SERVICES_KEY } from './service-settings.ts';

const DACL = 4;

/**
 * SYSTEM and Administrators may do everything with the service, interactive users and services may look at it, no one
 * else may touch it. The letters are the rights of services: `FA` and its kin would be bits of the file rights, which
 * mean other things here and leave out start and stop.
 */
export const SERVICE_SDDL =
  'D:P(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCSWLOCRRC;;;IU)(A;;CCLCSWLOCRRC;;;SU)';

/** Puts the rights on an open service. */
export function protectService(native: Native, service: Pointer, action: string): void {
  withDescriptor(native, SERVICE_SDDL, (descriptor) => {
    must(native, native.services.SetServiceObjectSecurity(service, DACL, descriptor), action);
  });
}

/** Whether an open service has exactly these rights; `undefined` where the system keeps none. */
export function isProtected(native: Native, service: Pointer): boolean | undefined {
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceObjectSecurity(service, DACL, buffer, size, needed);
  const buffer = sizedQuery(native, call, 'read the rights of a service');
  return buffer === undefined ? undefined : hasServiceRights(sddlFromDescriptor(native, buffer, DACL));
}

/** Compares rights by what they grant, as systems write them in different orders; `undefined` where there are none. */
export function hasServiceRights(sddl: string): boolean | undefined {
  const found = parseSddl(sddl);
  if (found.entries.length === 0) return undefined;
  return JSON.stringify(granted(sddl)) === JSON.stringify(granted(SERVICE_SDDL));
}

function granted(sddl: string): string[] {
  return parseSddl(sddl)
    .entries.map(({ kind, rights, trustee }) => `${kind} ${trustee} ${rights.toSorted().join('')}`)
    .toSorted();
}

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
  // A system that knows no such limit gets it all the same, where one that does keeps it: there it is read back.
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
