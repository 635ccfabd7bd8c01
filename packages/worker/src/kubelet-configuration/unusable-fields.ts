import type { NodeOs } from '@fenestra/contracts';
import type { Mapping } from '@fenestra/contracts/reading';
import type { VersionTraits } from '../version/version-traits.ts';
import type { Adapted } from './adapted.ts';

/** Takes out what stops a kubelet of this system and version, with a warning for each. */
export function withoutUnusableFields(config: Mapping, os: NodeOs, traits: VersionTraits): Adapted {
  const reasons = new Map(
    Object.entries(config).flatMap(([field, value]) => {
      const reason = reasonAgainst(field, value, os, traits);
      return reason === undefined ? [] : [[field, reason] as const];
    }),
  );
  return {
    config: Object.fromEntries(Object.entries(config).filter(([field]) => !reasons.has(field))),
    warnings: [...reasons].map(([field, reason]) => `"${field}" was taken out: ${reason}`),
  };
}

/** A Windows kubelet refuses these even when they are switched off. */
const LINUX_ONLY = ['singleProcessOOMKill', 'userNamespaces'];

const ENDPOINTS = ['containerRuntimeEndpoint', 'imageServiceEndpoint'];
const FOREIGN: Readonly<Record<NodeOs, string>> = { linux: 'npipe:', windows: 'unix:' };
const REFUSED = 'a kubelet on Windows does not start with it';

function reasonAgainst(field: string, value: unknown, os: NodeOs, traits: VersionTraits): string | undefined {
  if (ENDPOINTS.includes(field) && typeof value === 'string' && value.startsWith(FOREIGN[os])) {
    return 'it names a container runtime of another system';
  }
  if (os === 'linux') return undefined;
  if (LINUX_ONLY.includes(field)) return REFUSED;
  return traits.windowsRefusesCgroups && isAboutCgroups(field, value) ? REFUSED : undefined;
}

function isAboutCgroups(field: string, value: unknown): boolean {
  if (field === 'cgroupsPerQOS') return value === true;
  return field === 'enforceNodeAllocatable' && Array.isArray(value) && value.length > 0;
}
