import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsHost } from '@fenestra/platform-windows';
import type { WindowsBed } from './windows-bed.ts';

const WRITE_DAC = 0x4_0000;
const QUERY_LIMITED = 0x1000;
const DACL = 4;
const ACCESS_DENIED = 5;

/** Processes that no one may open. */
export function hiddenProcessCases(bed: WindowsBed): readonly ContractCase[] {
  const host = windowsHost(bed.native);
  return [
    {
      name: 'a number that has gone to a process we may not open is not taken for the process meant',
      run: () =>
        withChild(async (pid) => {
          hide(bed, pid);
          assert.equal(bed.native.kernel32.OpenProcess(QUERY_LIMITED, 0, pid), null);
          assert.equal(bed.native.kernel32.GetLastError(), ACCESS_DENIED);
          assert.equal(await host.isAlive({ ...(await host.self()), pid }), false);
        }),
    },
  ];
}

async function withChild(use: (pid: number) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  try {
    await use(pidOf(child));
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

function pidOf({ pid }: ChildProcess): number {
  assert.ok(pid !== undefined);
  return pid;
}

/** Gives the process an access list without an entry. */
function hide({ koffi, native: { kernel32, security } }: WindowsBed, pid: number): void {
  const setSecurity = koffi
    .load('advapi32.dll')
    .func('int SetKernelObjectSecurity(void *object, uint32 parts, void *descriptor)');
  const descriptor: [bigint | null] = [null];
  security.ConvertStringSecurityDescriptorToSecurityDescriptorW('D:P', 1, descriptor, null);
  const handle = kernel32.OpenProcess(WRITE_DAC, 0, pid);
  assert.ok(handle !== null && descriptor[0] !== null);
  assert.equal(setSecurity(handle, DACL, descriptor[0]), 1);
  kernel32.LocalFree(descriptor[0]);
  kernel32.CloseHandle(handle);
}
