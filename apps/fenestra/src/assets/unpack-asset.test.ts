import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackAsset } from './unpack-asset.ts';

const asset = { name: 'addon.node', bytes: new TextEncoder().encode('the real one') };
const emptyFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'asset-'));

test('unpackAsset writes the asset once and finds it again', async () => {
  const folder = await emptyFolder();
  const path = await unpackAsset(asset, [folder]);
  expect(await readFile(path, 'utf8')).toBe('the real one');
  expect(await unpackAsset(asset, [folder])).toBe(path);
});

test('unpackAsset replaces a file that somebody changed', async () => {
  const folder = await emptyFolder();
  const path = await unpackAsset(asset, [folder]);
  await writeFile(path, 'a wicked one');
  expect(await readFile(await unpackAsset(asset, [folder]), 'utf8')).toBe('the real one');
});

test('unpackAsset goes on to the next folder when one cannot be used, and says why when none can', async () => {
  const [folder, other] = [await emptyFolder(), await emptyFolder()];
  const blocked = join(folder, 'a-file');
  await writeFile(blocked, '');
  expect(await unpackAsset(asset, [blocked, other])).toContain(other);
  await expect(unpackAsset(asset, [blocked])).rejects.toMatchObject({
    code: 'ASSET_INVALID',
    hint: expect.stringContaining(blocked),
  });
});
