import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '@fenestra/kube-api';
import { openNodeCloud } from '@fenestra/lifecycle/cloud';
import { executableTarget } from '@fenestra/releases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStepBed, type StepBed } from '../../../../e2e/support/worker/steps/step-bed.ts';

const signal = new AbortController().signal;
let bed: StepBed;

beforeAll(async () => {
  bed = await openStepBed();
});
afterAll(async () => bed.close());

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('claim-folders', () => {
  test('everything that was not there goes during the rollback, and nothing else', async () => {
    const [known, fresh] = [join(bed.folder, 'known'), join(bed.folder, 'a', 'fresh')];
    await mkdir(join(known, 'operators'), { recursive: true });
    const step = { kind: 'claim-folders', folders: [known, fresh] };
    const before = await bed.apply(step);
    expect(await modeOf(fresh)).toBe(0o700);
    for (const folder of [known, fresh]) await mkdir(join(folder, 'pods', 'x'), { recursive: true });
    await bed.revert(step, before);
    expect(existsSync(join(known, 'operators'))).toBe(true);
    expect(existsSync(join(known, 'pods'))).toBe(false);
    expect(existsSync(join(bed.folder, 'a'))).toBe(false);
  });

  test('a way back that was cut off is taken until it ends', async () => {
    const folder = join(bed.folder, 'twice');
    const step = { kind: 'claim-folders', folders: [folder] };
    const before = await bed.apply(step);
    await bed.revert(step, before);
    await expect(bed.revert(step, before)).resolves.toBeUndefined();
  });
});

describe('fetch-program', () => {
  /** The program that runs this test answers to `--version` as a kubelet does. */
  const program = process.execPath;
  let step: { kind: string; source: { version: string; [key: string]: unknown }; to: string; downloads: string };

  beforeAll(async () => {
    const bytes = await readFile(program);
    const target = executableTarget(bytes.subarray(0, 4096));
    const location = join(bed.folder, 'published-kubelet');
    await symlink(program, location);
    const digest = { algorithm: 'sha256', hex: createHash('sha256').update(bytes).digest('hex') };
    const source = { name: 'kubelet', origin: bed.folder, version: process.version, location, size: bytes.length };
    step = {
      kind: 'fetch-program',
      source: { ...source, target, digest },
      to: join(bed.folder, 'kubelet'),
      downloads: join(bed.folder, 'downloads'),
    };
  });

  test('a program is put in its place, and during the rollback the one before it', async () => {
    await writeFile(step.to, 'the one before');
    const before = await bed.apply(JSON.parse(JSON.stringify(step)));
    expect(await modeOf(step.to)).toBe(0o755);
    expect((await stat(step.to)).size).toBe((await stat(program)).size);
    await bed.revert(JSON.parse(JSON.stringify(step)), before);
    expect(await readFile(step.to, 'utf8')).toBe('the one before');
  });

  test('a program that says another version is refused, and what was there stays', async () => {
    const other = JSON.parse(JSON.stringify({ ...step, source: { ...step.source, version: 'v1.33.1' } }));
    const before = await bed.prepare(other);
    await expect(bed.apply(other, before)).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
    expect(await readFile(step.to, 'utf8')).toBe('the one before');
    await bed.revert(other, before);
    expect(existsSync(join(bed.folder, 'arrived-kubelet'))).toBe(false);
  });
});

describe('uncordon-node', () => {
  test('pods may come again; a cluster that is gone keeps nothing up, and what is left to do is said', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w1' }, spec: { unschedulable: true } };
    await bed.admin.create(KINDS.node, node, signal);
    const kubeconfig = join(bed.folder, 'admin.conf');
    await writeFile(kubeconfig, bed.adminKubeconfig);
    const step = { kind: 'uncordon-node', kubeconfig, node: 'w1', pointOfNoReturn: true } as const;
    await bed.with({ openCloud: openNodeCloud }).apply(step);
    const spec = (await bed.admin.get(KINDS.node, { name: 'w1' }, signal))['spec'];
    expect(spec).not.toHaveProperty('unschedulable', true);
    await bed.with({ openCloud: openNodeCloud }).apply({ ...step, node: 'nobody' });
    expect(bed.said.at(-1)).toMatchObject({ lasting: true, text: expect.stringContaining('kubectl uncordon nobody') });
  });
});
