import { readFile } from 'node:fs/promises';
import { vi } from 'vitest';
import type { BedNode } from '../../support/beds/bed-node.ts';
import type { CommandResult } from '../../support/beds/command.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { pathOn } from '../../support/machines/keadm-machine.ts';
import type { InstallationChoice, Properties } from './installation.ts';

/** Longer than a reset may take. */
const UNINSTALL_MS = 2 * 60_000;
const FOLDER = 'C:\\Program Files\\Fenestra';
const UNINSTALL_KEY = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Fenestra';
const REPORT = 'C:\\windows\\temp\\fenestra-installer.log';
const PROGRAM = `${FOLDER}\\keadm.exe`;

/** The program that is an installer. */
export const setupInstallation: InstallationChoice = ({ node, runAsAdministrator }, installers) => {
  return {
    program: PROGRAM,
    signedFiles: [`${FOLDER}\\uninstall.exe`],
    tellsExitCode: true,
    refusesOlder: true,
    bringsBackEarlier: true,
    install: async (version, properties) =>
      runAsAdministrator(toWindowsPath(installers.fileOf(version, 'setup')), ['/S', ...words(properties, '/')]),
    saidOf: async () => readText(node.hostPath(REPORT)),
    async uninstall(_version, properties) {
      const result = await runAsAdministrator(`${FOLDER}\\uninstall.exe`, ['/S', ...words(properties, '/')]);
      // It goes on in a copy of itself, because no one can delete a program that runs; the key is what it deletes last.
      await vi.waitUntil(async () => !(await isRegistered(node)), { timeout: UNINSTALL_MS, interval: 500 });
      return result;
    },
  };
};

/** The package for Windows Installer, with all it can log. The one of Wine does not bring back what it has removed. */
export const msiInstallation: InstallationChoice = (machine, installers) => {
  const log = pathOn(machine, machine.paths.ownFolder, 'msiexec.log');
  const run = async (verb: string, file: string, properties: Properties): Promise<CommandResult> => {
    const args = [verb, toWindowsPath(file), '/qn', '/l*v', log, ...words(properties, '')];
    return machine.runAsAdministrator('msiexec', args);
  };
  return {
    program: PROGRAM,
    signedFiles: [],
    tellsExitCode: false,
    refusesOlder: true,
    bringsBackEarlier: false,
    install: async (version, properties) => run('/i', installers.fileOf(version, 'msi'), properties),
    saidOf: async () =>
      (await Promise.all([log, REPORT].map(async (file) => readText(machine.node.hostPath(file))))).join('\n'),
    uninstall: async (version, properties) => run('/x', installers.fileOf(version, 'msi'), properties),
  };
};

function words(properties: Properties, before: string): readonly string[] {
  return Object.entries(properties).map(([name, value]) => `${before}${name}=${value}`);
}

async function isRegistered(node: BedNode): Promise<boolean> {
  return (await node.run('reg', ['query', UNINSTALL_KEY])).exitCode === 0;
}

/** Without the null characters that text of Windows has. */
async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).replaceAll('\0', '');
}
