import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RECOVERY_POLICY, type ServiceManager, type ServiceSpec } from '@fenestra/platform';
import type { ContractCase } from '@fenestra/platform/contract';

const NAME = 'contract-hardening';
const OUTSIDE = '/usr/local/contract-hardening';
const PATIENCE_MS = 30_000;
/** By their numbers in the kernel: boot, time and both of mandatory access control. */
const GIVEN_UP: readonly bigint[] = [22n, 25n, 32n, 33n];

/** What systemd makes of the directives of our units, seen from inside the process. */
export function systemdHardeningCases(services: ServiceManager, folder: string): readonly ContractCase[] {
  return [
    {
      name: 'a service has no rights that an agent has no use for, and its files are private',
      run: () =>
        withProgram(services, 'exec sleep 300', [], async ({ pid }) => {
          const status = await readFile(`/proc/${pid}/status`, 'utf8');
          assert.match(status, /^NoNewPrivs:\s*1$/m);
          assert.match(status, /^Umask:\s*0077$/m);
          const capabilities = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? 'f'.repeat(16)}`);
          assert.deepEqual(
            GIVEN_UP.filter((number) => (capabilities >> number) % 2n === 1n),
            [],
          );
        }),
    },
    {
      name: 'a service that mounts what its pods use is not given separate mounts',
      run: () =>
        withProgram(services, 'exec sleep 300', [], async ({ pid }) => {
          assert.equal(await mountsOf(pid), await mountsOf('self'));
        }),
    },
    {
      name: 'a service that names the folders it writes to can write there and nowhere else',
      run: () => writesOnlyInside(services, folder),
    },
    {
      name: 'a stop ends the program, and not what it has started',
      run: () => leavesChildren(services, folder),
    },
  ];
}

async function writesOnlyInside(services: ServiceManager, folder: string): Promise<void> {
  const own = await mkdtemp(join(folder, 'writable-'));
  const script = `echo x > '${own}/inside'; echo x > '${OUTSIDE}'; exec sleep 300`;
  try {
    await withProgram(services, script, [own], async () => {
      assert.equal(await readFile(join(own, 'inside'), 'utf8'), 'x\n');
      await assert.rejects(readFile(OUTSIDE), { code: 'ENOENT' });
    });
  } finally {
    await rm(OUTSIDE, { force: true });
  }
}

async function leavesChildren(services: ServiceManager, folder: string): Promise<void> {
  const own = await mkdtemp(join(folder, 'child-'));
  const script = `sleep 300 & echo $! > '${own}/child'; exec sleep 300`;
  await withProgram(services, script, [], async () => {
    await services.stop(NAME, soon());
    const child = Number(await readFile(join(own, 'child'), 'utf8'));
    assert.ok(process.kill(child, 'SIGKILL'));
  });
}

/** Runs a shell script as a service, until it counts as running. */
async function withProgram(
  services: ServiceManager,
  script: string,
  writableFolders: readonly string[],
  use: (running: { readonly pid: number }) => Promise<void>,
): Promise<void> {
  try {
    await services.install({ ...SPEC, args: ['-c', script], writableFolders });
    await services.start(NAME, soon());
    const { pid } = await services.status(NAME);
    assert.ok(pid !== undefined);
    await use({ pid });
  } finally {
    await services.remove(NAME, soon());
  }
}

const SPEC: ServiceSpec = {
  name: NAME,
  displayName: 'Hardening',
  description: 'Lives for one test',
  executable: '/bin/sh',
  args: [],
  startType: 'manual',
  dependencies: [],
  recovery: RECOVERY_POLICY,
  writableFolders: [],
};

async function mountsOf(pid: number | 'self'): Promise<string> {
  return readFile(`/proc/${pid}/mountinfo`, 'utf8');
}

function soon(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}
