import { OperatorError } from '@fenestra/kernel';
import { requirePackages as installMissing } from '../../../build/packaging/require-packages.ts';

/** Makes sure that this is a Debian machine we are root on, and that it has these packages; installs what is missing. */
export async function requirePackages(names: readonly string[], signal: AbortSignal): Promise<void> {
  requireRoot();
  await installMissing(names, signal);
}

/** Throws unless this process is root on Linux: a bed makes mounts and namespaces. */
function requireRoot(): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) return;
  throw new OperatorError('PRIVILEGE_REQUIRED', 'Cannot prepare a test bed: it needs root on a Linux machine', {
    hint: 'Run the same command as root on Debian 12 or later.',
  });
}
