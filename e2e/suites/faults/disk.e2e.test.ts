import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandResult } from '../../support/beds/command.ts';
import { linuxMachineWithoutSystemd, type KeadmMachine } from '../../support/machines/keadm-machine.ts';

let machine: KeadmMachine;

beforeAll(async () => {
  machine = await linuxMachineWithoutSystemd(new AbortController().signal);
});
afterAll(async () => machine.node.stop());

async function shell(script: string): Promise<CommandResult> {
  return machine.node.run('sh', ['-euc', script]);
}

async function filesBelow(folder: string): Promise<string> {
  return (await shell(`cd ${folder} && find . -not -path './var/lib/fenestra*' | sort`)).stdout;
}

test.each([
  ['no room for the program', '64m', 0],
  ['hardly room for the journal', '1m', 700],
])('a full disk (%s) is its own error, and everything is undone', async (_name, size, fillKilobytes) => {
  await shell(`mkdir -p /small && mount -t tmpfs -o mode=755,size=${size} none /small && mkdir -p /small/var/lib`);
  await shell(`dd if=/dev/zero of=/small/filler bs=1k count=${fillKilobytes} 2>/dev/null`);
  const before = await filesBelow('/small');
  const { exitCode, stdout } = await machine.keadm(['service', 'install', '--root', '/small', '--output', 'json']);
  const after = await filesBelow('/small');
  await shell('umount /small');
  expect(exitCode).toBe(20);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'reverted', error: { code: 'DISK_FULL' } });
  expect(after).toBe(before);
});

test('a disk so full that not even a journal can begin is refused before anything happens', async () => {
  await shell('mkdir -p /small && mount -t tmpfs -o mode=755,size=64k none /small && mkdir -p /small/var/lib');
  const before = await filesBelow('/small');
  const { exitCode, stderr } = await machine.keadm(['service', 'install', '--root', '/small']);
  const after = await filesBelow('/small');
  await shell('umount /small');
  expect(exitCode).toBe(20);
  expect(stderr).toContain('Hint: Free some space');
  expect(after).toBe(before);
});

test('a read-only disk is its own error', async () => {
  await shell('mkdir -p /fixed && mount -t tmpfs -o ro,mode=755 none /fixed');
  const { exitCode, stderr } = await machine.keadm(['service', 'install', '--root', '/fixed']);
  await shell('umount /fixed');
  expect(exitCode).toBe(21);
  expect(stderr).toContain('Mount the file system writable');
});

test("someone else's folder is a separate error", async () => {
  await shell('mkdir -p -m 0700 /others');
  const { exitCode, stderr } = await machine.keadmWithoutRights(['service', 'install', '--root', '/others/node']);
  expect(exitCode).toBe(22);
  expect(stderr).toMatch(/^Error: Cannot .*\n.*Hint: /s);
});
