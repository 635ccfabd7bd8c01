import { win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { PackageInstaller } from '@fenestra/platform';
import { systemFolder } from '../host/system-folder.ts';
import type { Native } from '../native.ts';
import { judgeExit, type InstallerExit } from './installer-exit.ts';
import { runInstaller } from './run-installer.ts';

/** Windows Installer, and the servicing tool that switches parts of Windows on and off. */
export function packageInstaller(native: Native): PackageInstaller {
  const folder = systemFolder(native.kernel32);
  const run = async (program: string, args: readonly string[], signal: AbortSignal): Promise<InstallerExit> =>
    judgeExit(await runInstaller(win32.join(folder, program), args, signal));
  return {
    async install(file, properties, signal) {
      const exit = await run('msiexec.exe', ['/i', file, '/qn', '/norestart', ...properties], signal);
      return completed(exit, `install "${file}"`);
    },
    async uninstall(file, signal) {
      const exit = await run('msiexec.exe', ['/x', file, '/qn', '/norestart'], signal);
      if (!exit.isAbsent) completed(exit, `take off what "${file}" installed`);
    },
    async enableFeature(name, signal) {
      const exit = await run('dism.exe', [...ONLINE, '/Enable-Feature', `/FeatureName:${name}`, '/All'], signal);
      return completed(exit, `switch the feature "${name}" of Windows on`);
    },
    async disableFeature(name, signal) {
      const exit = await run('dism.exe', [...ONLINE, '/Disable-Feature', `/FeatureName:${name}`], signal);
      completed(exit, `switch the feature "${name}" of Windows off`);
    },
  };
}

const ONLINE = ['/Online', '/Quiet', '/NoRestart'];

function completed({ isDone, restart, code, meaning }: InstallerExit, action: string): { restart: boolean } {
  if (isDone) return { restart };
  throw new OperatorError('COMMAND_FAILED', `Cannot ${action}: ${meaning} (${code})`, {
    hint: 'Read the event log "Application" and "C:\\Windows\\Logs\\DISM\\dism.log", then run the command again.',
    details: { exitCode: code },
  });
}
