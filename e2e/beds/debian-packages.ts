import { OperatorError } from '@fenestra/kernel';
import { mustRun, runCommand } from './command.ts';
import { timed } from './progress.ts';

const INSTALL_MS = 10 * 60_000;

/** Makes sure that this is a Debian machine we are root on, and that it has these packages; installs what is missing. */
export async function requirePackages(names: readonly string[], signal: AbortSignal): Promise<void> {
  requireRoot();
  const missing: string[] = [];
  for (const name of names) if (!(await isInstalled(name, signal))) missing.push(name);
  if (missing.length === 0) return;
  await timed(`installing ${missing.join(', ')}`, async () => install(missing, signal));
}

/** Throws unless this process is root on Linux: a bed makes mounts and namespaces. */
function requireRoot(): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) return;
  throw new OperatorError('PRIVILEGE_REQUIRED', 'Cannot prepare a test bed: it needs root on a Linux machine', {
    hint: 'Run the same command as root on Debian 12 or later.',
  });
}

async function isInstalled(name: string, signal: AbortSignal): Promise<boolean> {
  const query = ['dpkg-query', '--show', '--showformat', '${db:Status-Status}', name];
  return (await runCommand(query, {}, signal)).stdout === 'installed';
}

async function install(names: readonly string[], signal: AbortSignal): Promise<void> {
  const options = { timeoutMs: INSTALL_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    // One of this machine's own sources may be out of reach without our packages being so.
    await runCommand(['apt-get', 'update'], options, signal);
    await mustRun(['apt-get', 'install', '--yes', '--no-install-recommends', ...names], options, signal);
  } catch (cause) {
    throw new OperatorError('COMMAND_FAILED', `Cannot install the Debian packages "${names.join(' ')}"`, {
      hint: `Install them by hand: apt-get install ${names.join(' ')}`,
      cause,
    });
  }
}
