import type { Pointer, Native } from '../native.ts';
import { must, mustHave } from '../win32-error.ts';

/** Runs `use` with the security descriptor that the text describes. */
export function withDescriptor<T>(native: Native, sddl: string, use: (descriptor: Pointer) => T): T {
  const out: [Pointer | null] = [null];
  const action = `read the access rights "${sddl}"`;
  const { security, kernel32 } = native;
  must(native, security.ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, 1, out, null), action);
  const descriptor = mustHave(native, out[0], action);
  try {
    return use(descriptor);
  } finally {
    kernel32.LocalFree(descriptor);
  }
}

/** The text that describes the given parts of a security descriptor. */
export function sddlFromDescriptor(native: Native, descriptor: Pointer | Buffer, parts: number): string {
  const out: [Pointer | null] = [null];
  const action = 'write access rights as text';
  const { security, kernel32 } = native;
  must(native, security.ConvertSecurityDescriptorToStringSecurityDescriptorW(descriptor, 1, parts, out, null), action);
  const text = mustHave(native, out[0], action);
  try {
    return native.readText(text);
  } finally {
    kernel32.LocalFree(text);
  }
}
