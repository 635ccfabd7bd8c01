import type { PatchReading } from '@fenestra/contracts/kube';
import { readPatchFolder } from '../join/read-patch-folder.ts';
import type { Membership } from '../record/worker-record.ts';

/** The patches for another version: the operator's, or else those that the worker has had so far. */
export async function choosePatches(
  folder: string | undefined,
  membership: Membership | undefined,
): Promise<PatchReading> {
  if (folder !== undefined) return readPatchFolder(folder);
  if (membership === undefined) return { patches: [], warnings: [UNKNOWN] };
  const { patches = [] } = membership;
  const names = [...new Set(patches.map(({ source }) => `"${source}"`))].join(', ');
  const kept = `The kubelet's configuration keeps the patches ${names}; "--patches" brings others instead`;
  return { patches, warnings: patches.length === 0 ? [] : [kept] };
}

const UNKNOWN =
  'keadm did not join this worker and does not know which patches it has: if there are any, give them with "--patches"';
