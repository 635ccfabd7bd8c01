import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackAsset, privateFolders } from './unpack-asset.ts';

const asset = { name: 'addon.node', bytes: new TextEncoder().encode('the real one') };
const emptyFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'asset-'));

test('unpackAsset writes the asset once and finds it again', async () => {
  const folder = await emptyFolder();
  const path = await unpackAsset(asset, [folder]);
  expect(await readFile(path, 'utf8')).toBe('the real one');
  expect(await unpackAsset(asset, [folder])).toBe(path);
});

test('unpackAsset replaces a file that someone changed', async () => {
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

const HOME = 'C:\\Users\\anna';
const USUAL = ['C:\\Program Files\\Fenestra\\native', 'C:\\Users\\anna\\AppData\\Local\\Fenestra\\native'];

test('privateFolders takes the folders of an ordinary environment', () => {
  const environment = {
    SystemDrive: 'C:',
    ProgramFiles: 'C:\\Program Files',
    LOCALAPPDATA: 'C:\\Users\\anna\\AppData\\Local',
  };
  expect(privateFolders(environment, HOME)).toEqual(USUAL);
});

test('privateFolders follows a system that is on another drive', () => {
  const environment = { SystemDrive: 'e:', ProgramFiles: 'E:\\Program Files' };
  expect(privateFolders(environment, 'E:\\Users\\anna')[0]).toBe('E:\\Program Files\\Fenestra\\native');
});

test.each([
  {},
  { ProgramFiles: 'D:\\Program Files' },
  { SystemDrive: 'C:', ProgramFiles: 'C:\\Users\\Public' },
  { SystemDrive: 'C:', ProgramFiles: 'C:\\Program Files\\..\\Users\\Public' },
  { SystemDrive: 'C:', ProgramFiles: 'Program Files' },
  { SystemDrive: '\\\\server\\share', ProgramFiles: '\\\\server\\share\\Program Files' },
  { SystemDrive: 'C:\\Users\\Public', ProgramFiles: 'C:\\Users\\Public\\Program Files' },
  { LOCALAPPDATA: 'C:\\Users\\Public' },
  { LOCALAPPDATA: 'C:\\Users\\anna' },
  { LOCALAPPDATA: 'C:\\Users\\anna\\..\\Public' },
  { LOCALAPPDATA: 'C:\\Users\\anna2\\AppData\\Local' },
  { LOCALAPPDATA: 'AppData\\Local' },
  { LOCALAPPDATA: 'D:\\AppData\\Local' },
])('privateFolders is not led astray by %j', (environment) => {
  expect(privateFolders(environment, HOME)).toEqual(USUAL);
});

test('privateFolders takes the place within the profile that the system moved local data to', () => {
  expect(privateFolders({ LOCALAPPDATA: 'c:\\users\\ANNA\\Local' }, HOME)[1]).toBe(
    'c:\\users\\ANNA\\Local\\Fenestra\\native',
  );
});

test('privateFolders leaves the profile out for an account that has none', () => {
  expect(privateFolders({ LOCALAPPDATA: 'C:\\Users\\Public' }, undefined)).toEqual(USUAL.slice(0, 1));
});
