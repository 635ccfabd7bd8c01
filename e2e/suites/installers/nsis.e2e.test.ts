import { describeUnlessShort } from './unless-short.ts';
import { installationCases } from './installation-cases.ts';
import { machineOf } from '../../support/machines/keadm-machine.ts';
import { setupInstallation } from './windows-installations.ts';

describeUnlessShort('the NSIS installer', () =>
  installationCases('the NSIS installer', machineOf('Windows'), setupInstallation),
);
