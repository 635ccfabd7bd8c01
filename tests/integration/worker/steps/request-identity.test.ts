import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeletKubeconfig } from '@fenestra/worker';
import { KINDS, type InformerEvent } from '@fenestra/kube-api';
import { currentPair, requestIdentity } from '@fenestra/steps';
import { openWorkerCluster } from '@fenestra/worker/cluster';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CREDENTIALS, openStepBed, TOKEN, type StepBed } from '../../../../e2e/support/worker/steps/step-bed.ts';

const { signal } = new AbortController();
const NODE = 'worker-1';
const PAIR = /^kubelet-client-\d{4}(-\d\d){5}\.pem$/;
let bed: StepBed;
let pki: string;
let step: ReturnType<typeof requestIdentity>;
let verdict: 'Approved' | 'Denied' | 'Failed' | undefined;

beforeAll(async () => {
  bed = await openStepBed();
  const options = { keep: () => null, onEvent: (event: InformerEvent<null>) => void decide(event) };
  bed.admin.informer(KINDS.certificateSigningRequest, options, signal);
});
afterAll(async () => bed.close());
beforeEach(async () => {
  bed.said.length = 0;
  verdict = 'Approved';
  pki = join(bed.folder, 'pki');
  await rm(pki, { recursive: true, force: true });
  // As open as a folder that someone else has made.
  await mkdir(pki, { mode: 0o755 });
  const path = join(pki, 'kubelet.conf');
  const content = kubeletKubeconfig({ ...bed, certificateFile: currentPair(pki) });
  const kubeconfig = { path, content };
  step = requestIdentity({
    node: NODE,
    credentials: CREDENTIALS,
    certificatesFolder: pki,
    kubeconfig,
    limitSeconds: 20,
  });
});

/** Does what a control plane does with a request: the embedded API signs what is approved. */
async function decide({ type, object }: InformerEvent<null>): Promise<void> {
  if (type !== 'added' || verdict === undefined) return;
  const subresource = verdict === 'Failed' ? 'status' : 'approval';
  const conditions = [{ type: verdict, status: 'True', reason: 'ByTest', message: 'because' }];
  const patch = { type: 'merge', subresource, body: { status: { conditions } } } as const;
  await bed.admin.patch(KINDS.certificateSigningRequest, { name: object.metadata.name }, patch, signal);
}

test('an approved request makes the node an identity that works, where a kubelet looks for it', async () => {
  await bed.apply(step);
  const [pair = '', ...others] = (await readdir(pki)).filter((name) => PAIR.test(name));
  expect(others).toEqual([]);
  expect(await readlink(currentPair(pki))).toBe(join(pki, pair));
  const text = await readFile(currentPair(pki), 'utf8');
  const certificate = new X509Certificate(text);
  expect(certificate.subject.split('\n').toSorted()).toEqual([`CN=system:node:${NODE}`, 'O=system:nodes']);
  expect(text).toMatch(/-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----/);
  expect(certificate.checkPrivateKey(createPrivateKey(text))).toBe(true);
  const cluster = await openWorkerCluster({ kubeconfigFile: step.kubeconfig.path });
  expect(await cluster.node(NODE, signal)).toBeUndefined();
  cluster.close();
});

test('trap 18: the key is private from its first byte, in a folder that is not', async () => {
  const { files } = bed.ports;
  const modes: number[] = [];
  const watched = {
    ...files,
    replace: async (...args: Parameters<typeof files.replace>) => {
      await files.replace(...args);
      modes.push((await stat(args[0])).mode & 0o777, (await stat(join(args[0], '..'))).mode & 0o777);
    },
  };
  await bed.with({ files: watched }).apply(step);
  expect(modes.slice(0, 2)).toEqual([0o600, 0o700]);
  for (const name of await readdir(pki)) expect((await stat(join(pki, name))).mode & 0o077).toBe(0);
  expect(await readFile(step.kubeconfig.path, 'utf8')).not.toContain('PRIVATE');
});

test('trap 15: the bootstrap credentials are in no file, whatever becomes of the request', async () => {
  for (const given of ['Approved', 'Denied'] as const) {
    verdict = given;
    await bed.apply(step).catch(() => undefined);
    for (const name of await readdir(pki)) expect(await readFile(join(pki, name), 'utf8')).not.toContain(TOKEN.secret);
  }
  expect(JSON.stringify([step, await bed.prepare(step), bed.said])).not.toContain(TOKEN.secret);
});

test('the rollback removes exactly what was made', async () => {
  await writeFile(join(pki, 'kubelet.crt'), 'of the kubelet itself');
  const before = await bed.apply(step);
  await bed.revert(step, before);
  expect(await readdir(pki)).toEqual(['kubelet.crt']);
  await bed.revert(step, before);
});

test('what was there of an earlier life is there again after the rollback', async () => {
  const old = join(pki, 'kubelet-client-2020-01-01-00-00-00.pem');
  await writeFile(old, 'old pair');
  await symlink(old, currentPair(pki));
  await writeFile(step.kubeconfig.path, 'old conf');
  await bed.revert(step, await bed.apply(step));
  expect((await readdir(pki)).toSorted()).toEqual([
    'kubelet-client-2020-01-01-00-00-00.pem',
    'kubelet-client-current.pem',
    'kubelet.conf',
  ]);
  expect(await readFile(currentPair(pki), 'utf8')).toBe('old pair');
  expect(await readFile(step.kubeconfig.path, 'utf8')).toBe('old conf');
});

test('a file in the place of the link is kept for the rollback', async () => {
  await writeFile(currentPair(pki), 'a file', { mode: 0o600 });
  const before = await bed.apply(step);
  expect(await readlink(currentPair(pki))).toMatch(/kubelet-client-/);
  await bed.revert(step, before);
  expect(await readdir(pki)).toEqual(['kubelet-client-current.pem']);
  expect(await readFile(currentPair(pki), 'utf8')).toBe('a file');
});

test('a run that was cut off in the middle may do it again, and may be undone', async () => {
  const before = await bed.apply(step);
  await bed.apply(step, before);
  await bed.revert(step, before);
  expect(await readdir(pki)).toEqual([]);
});

test.each([
  ['Denied', 'denied', /^The cluster denied the certificate request "csr-\w+": because$/],
  ['Failed', 'failed', /^The cluster's signer refused the certificate request "csr-\w+": because$/],
] as const)('a request that is %s ends it at once, and nothing is left', async (given, word, message) => {
  verdict = given;
  await expect(bed.apply(step)).rejects.toMatchObject({
    code: 'IDENTITY_REFUSED',
    message: expect.stringMatching(message),
    details: { verdict: word },
  });
  expect(await readdir(pki)).toEqual([]);
});

test('a request that no one approves ends it in time, and says what to do', async () => {
  verdict = undefined;
  await expect(bed.apply({ ...step, limitSeconds: 0.2 })).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringMatching(/^The certificate request "csr-\w+" was not approved within 0.2 s$/),
    hint: expect.stringContaining('kubectl certificate approve'),
  });
  expect(bed.said.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^waiting for the certificate request "csr-/),
  ]);
  expect(await readdir(pki)).toEqual([]);
});

test('a recovery, which has no secrets, says so and asks no one', async () => {
  await expect(bed.apply({ ...step, credentials: 'gone' })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
});
