import { win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { AccessControl } from '@fenestra/platform';
import { longPath } from '../files/file-handles.ts';
import type { Pointer, Native } from '../native.ts';
import { mustBeZero, mustHave } from '../win32-error.ts';
import { accessProblems, openToUsers, parentProblems } from './access-problems.ts';
import { sddlFromDescriptor } from './security-descriptor.ts';
import { DACL, FILE_OBJECT, OWNER, PRIVATE_SDDL, setRights } from './set-rights.ts';

/** Access rights by security descriptors. */
export function windowsAccessControl(native: Native): AccessControl {
  return {
    makePrivate: async (path) => setRights(native, path, PRIVATE_SDDL, `make "${path}" private`),
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
