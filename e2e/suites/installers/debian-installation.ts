import type { CommandResult } from '../../support/beds/command.ts';
import type { InstallationChoice, Properties } from './installation.ts';

/** The package for Debian, which is configured by variables. dpkg does as asked, and keeps what could not be configured. */
export const debianInstallation: InstallationChoice = ({ runAsAdministrator }, installers) => {
  const dpkg = async (args: readonly string[], properties: Properties): Promise<CommandResult> => {
    const named = Object.entries(properties).map(([name, value]) => [`FENESTRA_${name}`, value] as const);
    return runAsAdministrator('dpkg', args, Object.fromEntries(named));
  };
  return {
    program: '/usr/bin/keadm',
    signedFiles: [],
    tellsExitCode: false,
    refusesOlder: false,
    bringsBackEarlier: false,
    install: async (version, properties) => dpkg(['--install', installers.fileOf(version, 'deb')], properties),
    saidOf: async ({ stdout, stderr }) => stdout + stderr,
    uninstall: async (_version, properties) => dpkg(['--purge', 'fenestra'], properties),
  };
};
