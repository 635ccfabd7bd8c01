import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { PACKAGING_PACKAGES } from '../build/packaging/require-packages.ts';
import manifest from '../package.json' with { type: 'json' };

const Step = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });
const Permissions = z.record(z.string(), z.enum(['read', 'write']));
const Job = z.looseObject({
  uses: z.string().optional(),
  needs: z.union([z.string(), z.array(z.string())]).default([]),
  permissions: Permissions.default({}),
  'timeout-minutes': z.number().optional(),
  strategy: z.looseObject({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  steps: z.array(Step).default([]),
});
const Workflow = z.looseObject({ permissions: Permissions, jobs: z.record(z.string(), Job) });

const workflows = globSync('.github/workflows/*.yml').map((file) => ({
  file,
  ...Workflow.parse(parse(readFileSync(file, 'utf8'))),
}));

describe.each(workflows)('$file', ({ permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const scripts = steps.flatMap(({ run }) => run ?? []);
  const used = [...Object.values(jobs), ...steps].flatMap(({ uses }) => uses ?? []);

  test('uses actions that no one can change afterwards, and workflows that there are', () => {
    const loose = used.filter((name) => !name.startsWith('./') && !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name));
    const missing = used.filter((name) => name.startsWith('./') && !existsSync(name));
    expect([...loose, ...missing]).toEqual([]);
  });

  test('may read the source; only what publishes may write', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const writing = Object.entries(jobs).filter(([, job]) => Object.values(job.permissions).includes('write'));
    expect(writing.map(([name]) => name).filter((name) => name !== 'publish')).toEqual([]);
  });

  test('every job has a limit, and waits for jobs that there are', () => {
    const endless = Object.values(jobs).filter((job) => job.uses === undefined && job['timeout-minutes'] === undefined);
    expect(endless).toEqual([]);
    const awaited = Object.values(jobs).flatMap(({ needs }) => needs);
    expect(awaited.filter((name) => !(name in jobs))).toEqual([]);
  });

  test('runs scripts and programs that there are', () => {
    const named = scripts.flatMap((script) =>
      [...script.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const programs = scripts.flatMap((script) => script.match(/\b(?:scripts|e2e|build)\/[\w./-]+/g) ?? []);
    expect(programs.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('puts nothing into a script that someone else may have written', () => {
    const inserted = scripts.flatMap((script) =>
      [...script.matchAll(/\$\{\{ *([\w.]+)/g)].map(([, name = '']) => name),
    );
    expect(inserted.filter((name) => !name.startsWith('matrix.'))).toEqual([]);
  });

  test('installs every tool that makes installers, if any', () => {
    const needed = PACKAGING_PACKAGES.filter((name) => !['dpkg', 'tar'].includes(name));
    const installs = scripts.filter((script) => script.includes('apt-get install'));
    for (const script of installs) expect(script.split(/\s+/)).toEqual(expect.arrayContaining(needed));
  });
});

test('everything that can be shown on real Windows is shown there, on the newest one too', () => {
  const { matrix } = workflows.flatMap(({ jobs }) => jobs['windows']?.strategy ?? [])[0] ?? {};
  const proofs = globSync('e2e/own-machine/proofs/*.ts').map((file) => basename(file, '.ts'));
  expect(matrix?.['proof']?.toSorted()).toEqual(proofs.toSorted());
  expect(matrix?.['os']).toContain('windows-latest');
});
