import { hasBackStep } from './safe-path.ts';
import type { HostPathType, HostVolume, RefusedVolume } from './volume-plan.ts';

const TYPES: readonly HostPathType[] = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
];

/** A volume that is a path of the machine. */
export function hostPathVolume(
  name: string,
  { path, type = '' }: { readonly path: string; readonly type?: string },
  readOnly: boolean,
): HostVolume | RefusedVolume {
  const check = TYPES.find((known) => known === type);
  const problem = check === undefined ? `the type "${type}" of a hostPath is not known` : pathProblem(path);
  if (check === undefined || problem !== undefined) return { kind: 'refused', name, message: problem ?? '' };
  return { kind: 'host-path', name, path, check, readOnly };
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'the path of a hostPath is empty';
  return hasBackStep(path) ? `the path "${path}" must not contain ".."` : undefined;
}
