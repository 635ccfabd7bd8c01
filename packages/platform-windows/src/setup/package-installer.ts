import { win32 } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '@fenestra/kernel';
import { type PackageInstaller, childEnvironment, throwIfAborted } from '@fenestra/platform';
import { systemFolder } from '../bindings/kernel32.ts';
import type { Native } from '../native.ts';

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

/** How an installer of Windows ended. */
export interface InstallerExit {
  readonly code: number;
  readonly isDone: boolean;
  /** Whether the work is complete only after a restart. */
  readonly restart: boolean;
  /** Whether what was to be taken off is not there. */
  readonly isAbsent: boolean;
  readonly meaning: string;
}

const RESTART_CODES = [3010, 1641];
const UNKNOWN_PRODUCT = 1605;

/** What the codes mean that people meet. See https://learn.microsoft.com/windows/win32/msi/error-codes. */
const MEANINGS: Readonly<Record<number, string>> = {
  5: 'access is denied',
  50: 'this Windows cannot do it',
  87: 'an argument is wrong',
  1601: 'Windows Installer cannot be reached',
  1602: 'it was cancelled',
  1603: 'the installation failed',
  1605: 'it is not installed',
  1612: 'the package is not there',
  1618: 'another installation is in progress',
  1619: 'the package cannot be opened',
  1620: 'it is not a Windows Installer package',
  1625: 'a policy forbids it',
  1633: 'the package is for another processor',
  1638: 'another version is installed already',
};

/** Reads an exit code. */
export function judgeExit(code: number): InstallerExit {
  const restart = RESTART_CODES.includes(code);
  return {
    code,
    restart,
    isDone: code === 0 || restart,
    isAbsent: code === UNKNOWN_PRODUCT,
    meaning: MEANINGS[code] ?? 'it failed',
  };
}

/**
 * Runs an installer by its whole path and without a shell, until it ends: one that is killed in the middle leaves the
 * machine half changed, so an interruption waits.
 */
async function runInstaller(path: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  throwIfAborted(`running "${path}"`, signal);
  const child = spawn(path, [...args], { stdio: 'ignore', windowsHide: true, env: childEnvironment() });
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : -1;
  } catch (cause) {
    throw new OperatorError('COMMAND_FAILED', `Cannot run "${path}"`, {
      hint: 'See whether that program of Windows is there and may run.',
      cause,
    });
  }
}
