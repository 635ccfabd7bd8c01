import { applyJsonPatch } from './json-patch.ts';
import { invalidPatch } from './invalid-patch.ts';
import { mergePatch } from './merge-patch.ts';
import type { Patch } from './patch.ts';
import { strategicPatch } from './strategic-patch.ts';

/** Lays the patches for one target over it, one after the other. Throws `CONFIG_INVALID` naming the file that does not fit. */
export function applyPatches(value: unknown, target: string, patches: readonly Patch[]): unknown {
  return patches.filter((patch) => patch.target === target).reduce<unknown>(applyPatch, value);
}

function applyPatch(value: unknown, { type, content, source }: Patch): unknown {
  const refuse = (reason: string): Error => invalidPatch(source, reason);
  switch (type) {
    case 'merge':
      return mergePatch(value, content);
    case 'strategic':
      return strategicPatch(value, content, refuse);
    case 'json':
      return applyJsonPatch(value, content, refuse);
  }
}
