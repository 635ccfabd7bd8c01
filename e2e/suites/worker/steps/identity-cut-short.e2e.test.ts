import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeletKubeconfig } from '@fenestra/worker';
import type { Json, Step } from '@fenestra/kernel';
import { KINDS, type InformerEvent } from '@fenestra/kube-api';
import { currentPair, requestIdentity } from '@fenestra/steps';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { failingStore } from '../../../support/crash/failing-store.ts';
import { pictureOf, type Tree } from '../../../support/crash/tree.ts';
import { CREDENTIALS, openStepBed, type StepBed } from '../../../support/worker/steps/step-bed.ts';

const { signal } = new AbortController();
const MOST_OPERATIONS = 40;
const OLD_PAIR = 'kubelet-client-2020-01-01-00-00-00.pem';
let bed: StepBed;
let pki: string;

beforeAll(async () => {
  bed = await openStepBed();
  const options = { keep: () => null, onEvent: (event: InformerEvent<null>) => void approve(event) };
  bed.admin.informer(KINDS.certificateSigningRequest, options, signal);
});
afterAll(async () => bed.close());
beforeEach(() => {
  pki = join(bed.folder, 'pki');
});

async function approve({ type, object }: InformerEvent<null>): Promise<void> {
  if (type !== 'added') return;
  const conditions = [{ type: 'Approved', status: 'True', reason: 'ByTest', message: '' }];
  const patch = { type: 'merge', subresource: 'approval', body: { status: { conditions } } } as const;
  await bed.admin.patch(KINDS.certificateSigningRequest, { name: object.metadata.name }, patch, signal);
}

/** What an earlier life may have left in the places of the identity. */
const FOUND: readonly [string, () => Promise<void>][] = [
  ['nothing', async () => undefined],
  [
    'an identity',
    async () => {
      await writeFile(join(pki, OLD_PAIR), 'old pair', { mode: 0o600 });
      await symlink(join(pki, OLD_PAIR), currentPair(pki));
      await writeFile(join(pki, 'kubelet.conf'), 'old conf', { mode: 0o600 });
    },
  ],
  ['a file in the place of the link', async () => writeFile(currentPair(pki), 'a file', { mode: 0o600 })],
];

async function layOut(leave: () => Promise<void>): Promise<void> {
  await rm(pki, { recursive: true, force: true });
  await mkdir(pki, { mode: 0o755 });
  await leave();
}

function identity(): Step {
  return requestIdentity({
    node: 'worker-1',
    credentials: CREDENTIALS,
    certificatesFolder: pki,
    kubeconfig: {
      path: join(pki, 'kubelet.conf'),
      content: kubeletKubeconfig({ ...bed, certificateFile: currentPair(pki) }),
    },
    limitSeconds: 20,
  });
}

/** Applies the step with a power cut; false if it needs fewer operations than that. */
async function cutAt(step: Step, before: Json, at: number, moment: 'before' | 'after'): Promise<boolean> {
  return bed
    .with({ files: failingStore(bed.ports.files, at, moment) })
    .apply(step, before)
    .then(
      () => false,
      () => true,
    );
}

function isNew(path: string): boolean {
  return path !== OLD_PAIR && /^kubelet-client-\d/.test(path);
}

/** No two certificates are the same; where they are, and who may read them, is. */
async function looks(): Promise<Tree> {
  const tree = Object.entries(await pictureOf(pki));
  return Object.fromEntries(
    tree.map(([path, text]) => [path, isNew(path) ? text.split(' ').slice(0, 2).join(' ') : text]),
  );
}

test.each(FOUND)('where there was %s, cut short anywhere, it can be undone and can be done again', async (_, leave) => {
  await layOut(leave);
  const step = identity();
  const before = await bed.prepare(step);
  const found = await looks();
  await bed.apply(step, before);
  const made = await looks();
  let cuts = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1; at <= MOST_OPERATIONS; at += 1) {
      await layOut(leave);
      if (!(await cutAt(step, before, at, moment))) break;
      cuts += 1;
      await bed.revert(step, before);
      expect(await looks(), `undone after ${moment} ${at}`).toEqual(found);
      await cutAt(step, before, at, moment);
      await bed.apply(step, before);
      expect(await looks(), `done after ${moment} ${at}`).toEqual(made);
    }
  }
  expect(cuts).toBeGreaterThan(1);
});
