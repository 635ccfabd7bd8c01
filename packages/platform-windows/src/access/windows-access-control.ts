import { win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { AccessControl } from '@fenestra/platform';
import { longPath } from '../files/file-handles.ts';
import type { Pointer, Native } from '../native.ts';
import { must, mustBeZero, mustHave } from '../win32-error.ts';
import { accessProblems, openToUsers, parentProblems } from './access-problems.ts';
import { enablePrivileges } from './token.ts';
import { sddlFromDescriptor, withDescriptor } from './security-descriptor.ts';

const FILE_OBJECT = 1;
const OWNER = 0x1;
const DACL = 0x4;
const PROTECTED_DACL = 0x8000_0000;

/** Owned by SYSTEM, nothing inherited, and all that comes to be in a folder inherits these two entries. */
const PRIVATE_SDDL = 'O:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';

/** Access rights by security descriptors. */
export function windowsAccessControl(native: Native): AccessControl {
  return {
    makePrivate: async (path) => setRights(native, path),
    async inspect(path) {
      const problems = problemsOf(native, win32.resolve(path));
      return { private: problems.length === 0, problems };
    },
    // The folders above are left to `inspect`: users may rename what an administrator makes below a drive.
    exposures: async (path) => openings(native, win32.resolve(path)),
  };
}

function openings(native: Native, path: string): string[] {
  try {
    return openToUsers(path, readRights(native, path));
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'PATH_NOT_FOUND') return [];
    throw error;
  }
}

/** SetNamedSecurityInfoW and not SetFileSecurityW: only the former carries the change to what is in the folder. */
function setRights(native: Native, path: string): void {
  const action = `make "${path}" private`;
  enablePrivileges(native, ['SeRestorePrivilege', 'SeTakeOwnershipPrivilege']);
  withDescriptor(native, PRIVATE_SDDL, (descriptor) => {
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

/** Rights that we may not read are an error, not a problem: no one knows then whether the path is private. */
function problemsOf(native: Native, path: string): string[] {
  const above = parentsOf(path).flatMap((folder) => parentProblems(folder, readRights(native, folder)));
  return [...ownProblems(native, path), ...above];
}

function ownProblems(native: Native, path: string): string[] {
  const [parent] = parentsOf(path);
  const parentPrivate = () => parent !== undefined && ownProblems(native, parent).length === 0;
  return accessProblems(readRights(native, path), parentPrivate);
}

function parentsOf(path: string): string[] {
  const parent = win32.dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

function readRights(native: Native, path: string): string {
  const out: [Pointer | null] = [null];
  const action = `read the access rights of "${path}"`;
  const { security, kernel32 } = native;
  const parts = OWNER | DACL;
  mustBeZero(security.GetNamedSecurityInfoW(longPath(path), FILE_OBJECT, parts, null, null, null, null, out), action);
  const descriptor = mustHave(native, out[0], action);
  try {
    return sddlFromDescriptor(native, descriptor, parts);
  } finally {
    kernel32.LocalFree(descriptor);
  }
}
