import { join } from 'node:path';
import { installerNames } from '../../build/packaging/make-installers.ts';
import { laterVersion, OWN_VERSION } from '../support/releases/versions.ts';
import type { ProofKit } from './proof.ts';

/** Where the parts of a kit are in its folder. */
export function kitIn(folder: string): ProofKit {
  const later = laterVersion(1);
  return {
    runner: join(folder, 'contract-runner.cjs'),
    addon: join(folder, 'koffi.node'),
    keadm: join(folder, 'keadm.exe'),
    laterKeadm: join(folder, 'keadm-later.exe'),
    laterVersion: later,
    setup: join(folder, installerNames(OWN_VERSION).setup),
    laterSetup: join(folder, installerNames(later).setup),
    msi: join(folder, installerNames(OWN_VERSION).msi),
    laterMsi: join(folder, installerNames(later).msi),
  };
}
