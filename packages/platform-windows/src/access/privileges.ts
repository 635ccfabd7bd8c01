import type { Native } from '../native.ts';
import { must } from '../win32-error.ts';
import { TOKEN_ACCESS, withToken } from './token.ts';

const ENABLED = 2;
const LUID_SIZE = 8;

/** Privileges that let an administrator give files to SYSTEM. */
export type Privilege = 'SeRestorePrivilege' | 'SeTakeOwnershipPrivilege';

/**
 * Switches on privileges that the token has. One that it lacks is passed over without a word, as Windows does:
 * the call that needs it then fails and says so.
 */
export function enablePrivileges(native: Native, privileges: readonly Privilege[]): void {
  withToken(native, TOKEN_ACCESS.QUERY | TOKEN_ACCESS.ADJUST_PRIVILEGES, (token) => {
    for (const privilege of privileges) {
      const wanted = tokenPrivileges(native, privilege);
      const adjusted = native.security.AdjustTokenPrivileges(token, 0, wanted, 0, null, null);
      must(native, adjusted, `enable the privilege "${privilege}"`);
    }
  });
}

/** TOKEN_PRIVILEGES with one entry: count, LUID, attributes. */
function tokenPrivileges(native: Native, privilege: Privilege): Buffer {
  const luid = Buffer.alloc(LUID_SIZE);
  must(native, native.security.LookupPrivilegeValueW(null, privilege, luid), `look up the privilege "${privilege}"`);
  const wanted = Buffer.alloc(16);
  wanted.writeUInt32LE(1, 0);
  luid.copy(wanted, 4);
  wanted.writeUInt32LE(ENABLED, 12);
  return wanted;
}
