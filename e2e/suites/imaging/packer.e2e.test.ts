import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { mustRun, type CommandResult } from '../../support/beds/command.ts';
import { requirePackages } from '../../support/beds/debian-packages.ts';
import { unlimited } from '../../support/cloud/patience.ts';

const KEADM = join(CHECKOUT, 'dist', 'linux-x64', 'keadm');
/** Debian's Packer is older than this block, and than some functions that `packer validate` would evaluate. */
const NEWER_BLOCK = /^packer \{\n[^]*?^\}\n\n/m;

beforeAll(async () => requirePackages(['packer'], unlimited()));

test.each([
  { platform: 'azure', role: 'worker' },
  { platform: 'aws', role: 'worker' },
  { platform: 'vsphere', role: 'edge' },
  { platform: 'qemu', role: 'edge' },
])('Packer reads a project for $platform, role $role, and would format it the same way', async ({ platform, role }) => {
  const folder = await project(platform, role);
  await packer('validate', '-syntax-only', folder);
  expect((await packer('fmt', '-check', '-diff', folder)).stdout).toBe('');
  expect((await packer('inspect', folder)).stdout).toMatch(/source|builder/i);
});

test('Packer refuses a project with a syntax error', async () => {
  const folder = await project('qemu', 'worker');
  await writeFile(join(folder, 'variables.pkr.hcl'), 'variable "x" {');
  await expect(packer('validate', '-syntax-only', folder)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
});

async function project(platform: string, role: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packer-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const wishes = ['--os', '2022', '--for', platform, '--role', role];
  await mustRun([KEADM, 'image', 'init', folder, ...wishes], {}, unlimited());
  const main = join(folder, 'image.pkr.hcl');
  const text = await readFile(main, 'utf8');
  expect(text).toMatch(NEWER_BLOCK);
  await writeFile(main, text.replace(NEWER_BLOCK, ''));
  return folder;
}

/** Packer would ask its maker's server for newer versions. */
async function packer(...args: readonly string[]): Promise<CommandResult> {
  return mustRun(['packer', ...args], { env: { CHECKPOINT_DISABLE: '1' } }, unlimited());
}
