import { describeUnlessShort } from './unless-short.ts';
import { installationCases } from './installation-cases.ts';
import { machineOf } from '../../support/machines/keadm-machine.ts';
import { msiInstallation } from './windows-installations.ts';

describeUnlessShort('the MSI package', () =>
  installationCases('the MSI package', machineOf('Windows'), msiInstallation),
);
