import type { Pointer, Native } from '../native.ts';
import { must, mustHave } from '../win32-error.ts';

/** The handle that always means the process itself. */
export const THIS_PROCESS = 0xffff_ffff_ffff_ffffn;

const TOKEN_ACCESS = { QUERY: 0x8, ADJUST_PRIVILEGES: 0x20 } as const;

/** Runs `use` with this process's token. */
function withToken<T>(native: Native, access: number, use: (token: Pointer) => T): T {
  const out: [Pointer | null] = [null];
  const action = "open this process's token";
  must(native, native.security.OpenProcessToken(THIS_PROCESS, access, out), action);
  const token = mustHave(native, out[0], action);
  try {
    return use(token);
  } finally {
    native.kernel32.CloseHandle(token);
  }
}

const ENABLED = 2;
const LUID_SIZE = 8;

/** Privileges that let an administrator give files to SYSTEM. */
export type Privilege = 'SeRestorePrivilege' | 'SeTakeOwnershipPrivilege';

/**
 * Switches on privileges that the token has. One that it lacks is skipped without a word, as Windows does:
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

function tokenPrivileges(native: Native, privilege: Privilege): Buffer {
  const luid = Buffer.alloc(LUID_SIZE);
  must(native, native.security.LookupPrivilegeValueW(null, privilege, luid), `look up the privilege "${privilege}"`);
  const wanted = Buffer.alloc(16);
  wanted.writeUInt32LE(1, 0);
  luid.copy(wanted, 4);
  wanted.writeUInt32LE(ENABLED, 12);
  return wanted;
}

const TOKEN_USER = 1;
const TOKEN_ELEVATION = 20;
const LOCAL_SYSTEM = 'S-1-5-18';

/** Whether this process may change the system. */
export interface Elevation {
  isElevated(): boolean;
}

/**
 * Asks the process's token, and tries nothing out. Membership in Administrators does not count: without elevation the
 * group is in the token for denials only. LocalSystem always counts.
 */
export function elevation(native: Native): Elevation {
  return {
    isElevated: () =>
      withToken(native, TOKEN_ACCESS.QUERY, (token) => {
        const elevated = tokenInformation(native, token, TOKEN_ELEVATION).readUInt32LE(0) !== 0;
        return elevated || userOf(native, token) === LOCAL_SYSTEM;
      }),
  };
}

function tokenInformation(native: Native, token: Pointer, level: number): Buffer {
  const buffer = Buffer.alloc(256);
  must(native, native.security.GetTokenInformation(token, level, buffer, buffer.length, [0]), 'read the token');
  return buffer;
}

/** TOKEN_USER begins with the address of the SID, which lies in the same buffer. */
function userOf(native: Native, token: Pointer): string {
  const buffer = tokenInformation(native, token, TOKEN_USER);
  const sid = mustHave(native, native.readPointer(buffer), 'read the user of the token');
  const out: [Pointer | null] = [null];
  must(native, native.security.ConvertSidToStringSidW(sid, out), 'write a SID as text');
  const text = mustHave(native, out[0], 'write a SID as text');
  try {
    return native.readText(text);
  } finally {
    native.kernel32.LocalFree(text);
  }
}
