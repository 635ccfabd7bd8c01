import { existsSync } from 'node:fs';
import { vi } from 'vitest';
import type { CommandResult } from '../beds/command.ts';
import { toWindowsPath } from '../beds/windows-path.ts';
import type { InstallationChoice, Properties } from './installation.ts';

/** Longer than a reset may take. */
const UNINSTALL_MS = 2 * 60_000;
const FOLDER = 'C:\\Program Files\\Fenestra';
const PROGRAM = `${FOLDER}\\keadm.exe`;
/** Where Windows Installer writes everything it does. */
const MSI_LOG = 'C:\\Users\\Public\\fenestra-msi.log';

/** The program that is an installer. */
export const setupInstallation: InstallationChoice = ({ node, runAsAdministrator }, installers) => {
  return {
    title: 'the NSIS installer',
    program: PROGRAM,
    tokenBy: 'file',
    install: async (version, properties) =>
      runAsAdministrator(toWindowsPath(installers.fileOf(version, 'setup')), ['/S', ...words(properties, '/')]),
    async uninstall(_version, properties) {
      const uninstaller = `${FOLDER}\\uninstall.exe`;
      const result = await runAsAdministrator(uninstaller, ['/S', ...words(properties, '/')]);
      // It goes on in a copy of itself, because nobody can delete a program that runs.
      await vi.waitUntil(() => !existsSync(node.hostPath(uninstaller)), { timeout: UNINSTALL_MS, interval: 200 });
      return result;
    },
  };
};

/** The package for Windows Installer. */
export const msiInstallation: InstallationChoice = ({ runAsAdministrator }, installers) => {
  const run = async (verb: string, file: string, properties: Properties): Promise<CommandResult> => {
    const args = [verb, toWindowsPath(file), '/qn', '/l*v', MSI_LOG, ...words(properties, '')];
    return runAsAdministrator('msiexec', args);
  };
  return {
    title: 'the MSI package',
    program: PROGRAM,
    tokenBy: 'property',
    install: async (version, properties) => run('/i', installers.fileOf(version, 'msi'), properties),
    uninstall: async (version, properties) => run('/x', installers.fileOf(version, 'msi'), properties),
  };
};

function words(properties: Properties, before: string): readonly string[] {
  return Object.entries(properties).map(([name, value]) => `${before}${name}=${value}`);
}
