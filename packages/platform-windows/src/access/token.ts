import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { must, mustHave } from '../win32-error.ts';

/** The handle that always means the process itself. */
export const THIS_PROCESS = 0xffff_ffff_ffff_ffffn;

/** Rights to a token. */
export const TOKEN_ACCESS = { QUERY: 0x8, ADJUST_PRIVILEGES: 0x20 } as const;

/** Runs `use` with this process's token. */
export function withToken<T>(native: Native, access: number, use: (token: Pointer) => T): T {
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
