import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** The Debian packages with the tools that make installers. */
export const PACKAGING_PACKAGES = ['nsis', 'wixl', 'msitools', 'dpkg', 'tar'] as const;

/** Makes sure that this machine has these Debian packages; installs by name what is missing, if it may. */
export async function requirePackages(names: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of names) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw notInstalled(missing);
  console.error(`Installing ${missing.join(', ')}`);
  // One of this machine's own sources may be out of reach without our packages being so.
  await aptGet(['update']).catch(() => undefined);
  await aptGet(['install', '--yes', '--no-install-recommends', ...missing]).catch((cause: unknown) => {
    throw notInstalled(missing, cause);
  });
}

async function isInstalled(name: string): Promise<boolean> {
  const query = ['--show', '--showformat', '${db:Status-Status}', name];
  const answer = await promisify(execFile)('dpkg-query', query).catch(() => undefined);
  return answer?.stdout === 'installed';
}

async function aptGet(args: readonly string[]): Promise<void> {
  // Somebody else may be installing something at this very moment.
  const patient = ['--option', 'DPkg::Lock::Timeout=300', ...args];
  await promisify(execFile)('apt-get', patient, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function notInstalled(names: readonly string[], cause?: unknown): OperatorError {
  return new OperatorError(
    'COMMAND_FAILED',
    `Cannot make installers without the Debian packages "${names.join(' ')}"`,
    {
      hint: `Install them: sudo apt-get install ${names.join(' ')}`,
      cause,
    },
  );
}
