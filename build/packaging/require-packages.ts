import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** The Debian packages with the tools that make installers. */
export const PACKAGING_PACKAGES = ['nsis', 'wixl', 'msitools', 'dpkg', 'tar'] as const;

const INSTALL_MS = 10 * 60_000;

/** Makes sure that this machine has these Debian packages; installs by name what is missing, if it may. */
export async function requirePackages(names: readonly string[], signal?: AbortSignal): Promise<void> {
  const missing: string[] = [];
  for (const name of names) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw notInstalled(missing);
  console.error(`Installing ${missing.join(', ')}`);
  // One of this machine's own sources may be out of reach without our packages being so.
  await aptGet(['update'], signal).catch(() => undefined);
  await aptGet(['install', '--yes', '--no-install-recommends', ...missing], signal).catch((cause: unknown) => {
    throw notInstalled(missing, cause);
  });
}

async function isInstalled(name: string): Promise<boolean> {
  const query = ['--show', '--showformat', '${db:Status-Status}', name];
  const answer = await promisify(execFile)('dpkg-query', query).catch(() => undefined);
  return answer?.stdout === 'installed';
}

async function aptGet(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  // Someone else may be installing something at this very moment.
  const patient = ['--option', 'DPkg::Lock::Timeout=300', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await promisify(execFile)('apt-get', patient, { env, timeout: INSTALL_MS, ...(signal && { signal }) });
}

function notInstalled(names: readonly string[], cause?: unknown): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot do without the Debian packages "${names.join(' ')}"`, {
    hint: `Install them: sudo apt-get install ${names.join(' ')}`,
    cause,
  });
}
