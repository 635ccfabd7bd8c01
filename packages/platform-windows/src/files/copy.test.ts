import { mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPartial, withPartial } from './copy.ts';

const emptyFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'partial-'));

async function write(partial: string, text: string): Promise<void> {
  const file = await createPartial(partial);
  await file.writeFile(text);
  await file.close();
}

test('withPartial starts again over what a killed copy left behind', async () => {
  const target = join(await emptyFolder(), 'to');
  await writeFile(`${target}.partial`, 'a leftover that is longer');
  await withPartial(target, async (partial) => write(partial, 'new'));
  expect(await readFile(`${target}.partial`, 'utf8')).toBe('new');
});

test('withPartial leaves nothing behind when the copy fails', async () => {
  const folder = await emptyFolder();
  const copy = withPartial(join(folder, 'to'), async (partial) => {
    await write(partial, 'half');
    throw new Error('broken off');
  });
  await expect(copy).rejects.toThrow('broken off');
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['link', async (path: string, other: string) => symlink(other, path)],
  ['folder', async (path: string) => mkdir(path)],
])('withPartial refuses a %s in the place of the partial file, and leaves it', async (_kind, occupy) => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'precious'), 'kept');
  await occupy(join(folder, 'to.partial'), join(folder, 'precious'));
  const copy = withPartial(join(folder, 'to'), async (partial) => write(partial, 'new'));
  await expect(copy).rejects.toMatchObject({ code: 'UNSAFE_PATH' });
  expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('kept');
  expect((await readdir(folder)).toSorted()).toEqual(['precious', 'to.partial']);
});
