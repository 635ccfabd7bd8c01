import { machineOf } from '../../support/machines/keadm-machine.ts';
import { debianInstallation } from './debian-installation.ts';
import { installationCases } from './installation-cases.ts';
import { describeUnlessShort } from './unless-short.ts';

describeUnlessShort('the Debian package', () =>
  installationCases('the Debian package', machineOf('Linux with systemd'), debianInstallation),
);
