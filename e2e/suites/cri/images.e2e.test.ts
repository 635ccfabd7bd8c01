import { GRPC_STATUS } from '@fenestra/cri';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REGISTRY_USER } from '../../support/beds/registry.ts';
import { OTHER_POD_IMAGE, POD_IMAGE } from '../../support/beds/test-images.ts';
import { type ConnectedBed, RELEASES, startConnected } from './pod-life.ts';

const { signal } = new AbortController();
const { username, password } = REGISTRY_USER;
/** Nothing of the pod is needed to pull an image for it. */
const ANY_POD = {};

describe.each(RELEASES)('containerd (%s)', (release) => {
  let bed: ConnectedBed;
  beforeAll(async () => {
    bed = await startConnected(release, signal);
  });
  afterAll(async () => bed.stop());

  test('an image is found by each of its names and by its id, and another one is not', async () => {
    const { runtime } = bed;
    const image = await runtime.imageStatus({ image: POD_IMAGE }, signal);
    expect(image?.repoTags.toSorted()).toEqual([POD_IMAGE, OTHER_POD_IMAGE].toSorted());
    expect(image?.size).toBeGreaterThan(1_000_000n);
    expect((await runtime.imageStatus({ image: image?.id ?? '' }, signal))?.id).toBe(image?.id);
    expect(await runtime.imageStatus({ image: 'fenestra.test/absent:1' }, signal)).toBeUndefined();
    expect((await runtime.listImages(signal)).map(({ id }) => id)).toContain(image?.id);
  });

  test('the store of the images says where it is and how much is in it', async () => {
    const { imageFilesystems } = await bed.runtime.imageFsInfo(signal);
    expect(imageFilesystems[0]?.fsId?.mountpoint).toContain(bed.folder);
  });

  test('an image is pulled from a registry that needs no account', async () => {
    const image = { image: `${bed.registry}/open/pulled:1` };
    const id = await bed.runtime.pullImage(image, undefined, ANY_POD, signal);
    expect(id).toMatch(/^sha256:/);
    expect(await bed.runtime.imageStatus(image, signal)).toMatchObject({ id });
    expect(await bed.registryLog()).toContain('HEAD /v2/open/pulled/manifests/1 200');
  });

  test.each([
    ['user and password', { username, password }],
    ['both in one text', { auth: Buffer.from(`${username}:${password}`).toString('base64') }],
  ])('an image is pulled from a private registry with %s', async (_, auth) => {
    const image = { image: `${bed.registry}/private/by-${'auth' in auth ? 'text' : 'user'}:1` };
    expect(await bed.runtime.pullImage(image, auth, ANY_POD, signal)).toMatch(/^sha256:/);
  });

  test.each([
    ['without an account', undefined],
    ['with a wrong password', { username, password: 'wrong' }],
  ])('a private registry refuses %s', async (_, auth) => {
    const image = { image: `${bed.registry}/private/refused:1` };
    await expect(bed.runtime.pullImage(image, auth, ANY_POD, signal)).rejects.toMatchObject({
      name: 'GrpcFailure',
      message: expect.stringMatching(
        /401 Unauthorized|no basic auth credentials|insufficient_scope|authorization failed/,
      ),
    });
  });

  async function pull(name: string): Promise<string> {
    return bed.runtime.pullImage({ image: `${bed.registry}/${name}:1` }, undefined, ANY_POD, signal);
  }

  test('an image that the registry does not have is NOT_FOUND, and a registry that fails is a failure', async () => {
    await expect(pull('absent/image')).rejects.toMatchObject({ status: GRPC_STATUS.NOT_FOUND });
    await expect(pull('broken/image')).rejects.toMatchObject({
      status: GRPC_STATUS.UNKNOWN,
      message: expect.stringContaining('500 Internal Server Error'),
    });
  });

  test('an image is removed, and one that is gone is removed already', async () => {
    const { runtime } = bed;
    const image = { image: `${bed.registry}/open/removed:1` };
    await runtime.pullImage(image, undefined, ANY_POD, signal);
    await runtime.removeImage(image, signal);
    await runtime.removeImage(image, signal);
    expect(await runtime.imageStatus(image, signal)).toBeUndefined();
  });
});
