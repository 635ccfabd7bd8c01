import { TOKEN_ACCESS, withToken } from '../access/token.ts';
import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { must, mustHave } from '../win32-error.ts';

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
