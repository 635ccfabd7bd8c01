import { sddlFromDescriptor, withDescriptor } from '../access/security-descriptor.ts';
import { parseSddl } from '../access/sddl.ts';
import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { must } from '../win32-error.ts';
import { sizedQuery } from './sized-query.ts';

const DACL = 4;

/**
 * SYSTEM and Administrators may do everything with the service, interactive users and services may look at it, nobody
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
