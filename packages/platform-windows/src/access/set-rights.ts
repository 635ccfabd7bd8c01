import { longPath } from '../files/file-handles.ts';
import type { Pointer, Native } from '../native.ts';
import { must, mustBeZero, mustHave } from '../win32-error.ts';
import { withDescriptor } from './security-descriptor.ts';
import { enablePrivileges } from './token.ts';

export const FILE_OBJECT = 1;
export const OWNER = 0x1;
export const DACL = 0x4;
const PROTECTED_DACL = 0x8000_0000;

/** Owned by SYSTEM, nothing inherited, and all that comes to be in a folder inherits these two entries. */
export const PRIVATE_SDDL = 'O:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';

/**
 * The same, and the two accounts that Windows has in every container can change what is in the folder. No one can log in
 * by these accounts, and a container reaches only what is mounted for it.
 */
export const POD_FOLDER_SDDL = `${PRIVATE_SDDL}(A;OICI;0x1301bf;;;S-1-5-93-2-1)(A;OICI;0x1301bf;;;S-1-5-93-2-2)`;

/**
 * Sets owner and access list of a file or folder, by SetNamedSecurityInfoW and not by SetFileSecurityW: only the former
 * carries the change to what is in the folder.
 */
export function setRights(native: Native, path: string, sddl: string, action: string): void {
  enablePrivileges(native, ['SeRestorePrivilege', 'SeTakeOwnershipPrivilege']);
  withDescriptor(native, sddl, (descriptor) => {
    const { owner, dacl } = partsOf(native, descriptor, action);
    const parts = (OWNER | DACL | PROTECTED_DACL) >>> 0;
    const { security } = native;
    mustBeZero(security.SetNamedSecurityInfoW(longPath(path), FILE_OBJECT, parts, owner, null, dacl, null), action);
  });
}

function partsOf(native: Native, descriptor: Pointer, action: string): { owner: Pointer; dacl: Pointer } {
  const owner: [Pointer | null] = [null];
  const dacl: [Pointer | null] = [null];
  must(native, native.security.GetSecurityDescriptorOwner(descriptor, owner, [0]), action);
  must(native, native.security.GetSecurityDescriptorDacl(descriptor, [0], dacl, [0]), action);
  // A null list would let everybody in.
  return { owner: mustHave(native, owner[0], action), dacl: mustHave(native, dacl[0], action) };
}
