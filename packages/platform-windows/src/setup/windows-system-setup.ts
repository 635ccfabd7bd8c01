import type { SystemSetup } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { machinePath } from '../registry/machine-path.ts';
import { packageInstaller } from './package-installer.ts';
import { systemRegistry } from './system-registry.ts';

/** What Windows keeps of itself: its registry, its search path, and what its own installer has installed. */
export function windowsSystemSetup(native: Native): SystemSetup {
  const path = machinePath(native);
  return {
    registry: systemRegistry(native),
    searchPath: {
      entries: async () => path.entries(),
      add: async (folder) => void path.add(folder),
      remove: async (folder) => void path.remove(folder),
    },
    packages: packageInstaller(native),
  };
}
