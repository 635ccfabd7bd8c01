import type { ServiceSpec } from '@fenestra/platform';

/** The name the guard has in every service manager. */
export const GUARD_SERVICE = 'fenestra-guard';

/** A guard is needed at once or not at all, so its service manager brings it back without much waiting. */
const RECOVERY = { restartDelaysSeconds: [5, 30, 60], resetAfterSeconds: 60 * 60 };

/** The guard as a service: it starts with the machine, so that a power cut does not outlast it. */
export function guardService(executable: string, root: string | null): ServiceSpec {
  return {
    name: GUARD_SERVICE,
    displayName: 'Fenestra guard',
    description: 'Recovers this node if a command that changes it is interrupted',
    executable,
    args: ['guard', ...(root === null ? [] : ['--root', root])],
    startType: 'automatic',
    dependencies: [],
    recovery: RECOVERY,
    writableFolders: [],
  };
}
