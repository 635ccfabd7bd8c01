import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import { RECOVERY_POLICY, type ServiceManager, type ServiceSpec } from '@fenestra/platform';
import type { ContractCase } from '@fenestra/platform/contract';

const NAME = 'contract-of-others';
const UNIT = '[Unit]\nDescription=Not ours\n[Service]\nExecStart=/bin/sleep 60\nRestart=always\nRestartSec=90\n';
const SPEC: ServiceSpec = {
  name: NAME,
  displayName: 'Never installed',
  description: 'Never installed',
  executable: '/bin/true',
  args: [],
  startType: 'automatic',
  dependencies: [],
  recovery: RECOVERY_POLICY,
  writableFolders: [],
};

/** What is promised of systemd alone: how our adapter gets on with units that others have made. */
export function systemdCases(services: ServiceManager, unitFolder: string): readonly ContractCase[] {
  const folders = [unitFolder, '/run/systemd/system'];
  return [
    ...folders.map((folder) => ({
      name: `install refuses a name whose unit others have put in ${folder}, and leaves that as it was`,
      run: () => withUnitOfOthers(folder, (path) => refusesToInstall(services, path)),
    })),
    {
      name: 'recovery shows what systemd does with a unit that others have made',
      run: () =>
        withUnitOfOthers(unitFolder, async () => {
          assert.deepEqual((await services.recovery(NAME))?.restartDelaysSeconds, [90]);
        }),
    },
  ];
}

async function withUnitOfOthers(folder: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, `${NAME}.service`);
  await writeFile(path, UNIT);
  await reload();
  try {
    await use(path);
  } finally {
    await rm(path);
    await reload();
  }
}

async function refusesToInstall(services: ServiceManager, path: string): Promise<void> {
  await assert.rejects(services.install(SPEC), (error) => {
    assert.ok(error instanceof OperatorError && error.code === 'SERVICE_CONFLICT', String(error));
    assert.ok(error.message.includes(path), error.message);
    assert.ok(error.hint.includes(`systemctl cat ${NAME}`), error.hint);
    return true;
  });
  assert.equal(await readFile(path, 'utf8'), UNIT);
  assert.equal((await services.status(NAME)).startType, 'manual');
}

async function reload(): Promise<void> {
  await promisify(execFile)('systemctl', ['daemon-reload']);
}
