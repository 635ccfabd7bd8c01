import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { mustRun, runCommand, type CommandResult } from '../../support/beds/command.ts';
import { requirePackages } from '../../support/beds/debian-packages.ts';
import { unlimited } from '../../support/cloud/patience.ts';

const KEADM = join(CHECKOUT, 'dist', 'linux-x64', 'keadm');

beforeAll(async () => requirePackages(['packer'], unlimited()));

test.each([
  { platform: 'azure', role: 'worker' },
  { platform: 'aws', role: 'worker' },
  { platform: 'vsphere', role: 'edge' },
  { platform: 'qemu', role: 'edge' },
])('Packer reads a project for $platform, role $role, and would format it the same way', async ({ platform, role }) => {
  const folder = await project(platform, role);
  const { exitCode, stdout } = await validate(folder);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('checked by Packer 1.') });
  // Debian's Packer is older than this file, and than the functions that a full "packer validate" evaluates.
  await rm(join(folder, 'plugins.pkr.hcl'));
  expect((await packer('fmt', '-check', '-diff', folder)).stdout).toBe('');
  expect((await packer('inspect', folder)).stdout).toMatch(/source|builder/i);
});

test.each([
  { file: 'variables.pkr.hcl', line: 'varable "x" {}', message: 'Blocks of type "varable" are not expected here' },
  { file: 'image.pkr.hcl', line: 'source "x" {', message: 'block definition required' },
  { file: 'overrides.auto.pkrvars.hcl', line: 'labels = 5', message: 'map of string required' },
])('"keadm image validate" reports what Packer refuses in $file', async ({ file, line, message }) => {
  const folder = await project('qemu', 'worker');
  await appendFile(join(folder, file), `${line}\n`);
  const { exitCode, stdout } = await validate(folder);
  expect(exitCode).toBe(60);
  expect(stdout).toMatch(new RegExp(`^  ${file}:\\d+ .*${message}`, 'm'));
});

async function project(platform: string, role: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packer-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const wishes = ['--os', '2022', '--for', platform, '--role', role];
  await mustRun([KEADM, 'image', 'init', folder, ...wishes], {}, unlimited());
  return folder;
}

async function validate(folder: string): Promise<CommandResult> {
  return runCommand([KEADM, 'image', 'validate', folder], {}, unlimited());
}

/** Packer would ask its maker's server for newer versions. */
async function packer(...args: readonly string[]): Promise<CommandResult> {
  return mustRun(['packer', ...args], { env: { CHECKPOINT_DISABLE: '1' } }, unlimited());
}
