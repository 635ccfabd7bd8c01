import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContractCase, contractCase, rejectsWith, soon, scratchFolder } from '../case.ts';
import type { FileBed } from '../beds.ts';

const BYTES = 3 * 1024 * 1024 + 17;

/** Copies that can be watched, proved and broken off. */
export function copyCases(bed: FileBed): readonly ContractCase[] {
  return [...wholeCopyCases(bed), ...brokenCopyCases(bed), ...copyModeCases(bed)];
}

function wholeCopyCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('copy reports progress up to the total, and the right hash', async () => {
      const { own, from, content } = await bigFile(folder);
      const seen: (readonly [number, number])[] = [];
      const onProgress = (copied: number, total: number): void => void seen.push([copied, total]);
      const result = await files.copy(from, join(own, 'to'), { onProgress }, soon());
      assert.deepEqual(result, { bytes: BYTES, sha256: createHash('sha256').update(content).digest('hex') });
      assert.deepEqual(seen.at(-1), [BYTES, BYTES]);
      assert.ok(
        seen.every(([copied], index) => copied >= (seen[index - 1]?.[0] ?? 0)),
        'progress went backwards',
      );
      assert.ok(content.equals(await readFile(join(own, 'to'))));
      assert.deepEqual((await readdir(own)).toSorted(), ['from', 'to']);
    }),
    contractCase('copy replaces what is there, and copies an empty file', async () => {
      const own = await scratchFolder(folder);
      await writeFile(join(own, 'from'), '');
      await writeFile(join(own, 'to'), 'old');
      assert.equal((await files.copy(join(own, 'from'), join(own, 'to'), {}, soon())).bytes, 0);
      assert.equal(await readFile(join(own, 'to'), 'utf8'), '');
    }),
  ];
}

function brokenCopyCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('a copy that is broken off leaves nothing behind', async () => {
      const { own, from } = await bigFile(folder);
      const controller = new AbortController();
      const options = { onProgress: (): void => controller.abort() };
      await rejectsWith('INTERRUPTED', () => files.copy(from, join(own, 'to'), options, controller.signal));
      await rejectsWith('INTERRUPTED', () => files.copy(from, join(own, 'to'), {}, AbortSignal.abort()));
      assert.deepEqual(await readdir(own), ['from']);
    }),
    contractCase(
      'a copy that was cut off leaves at most <to>.partial, and the next copy to the same place uses it up',
      async () => {
        const { own, from, content } = await bigFile(folder);
        const [to, partial] = [join(own, 'to'), join(own, 'to.partial')];
        await writeFile(partial, 'x'.repeat(2 * BYTES));
        const seen = new Set<string>();
        const onProgress = (copied: number): void => {
          if (copied < BYTES) for (const name of readdirSync(own)) seen.add(name);
        };
        await files.copy(from, to, { onProgress }, soon());
        assert.deepEqual([...seen].toSorted(), ['from', 'to.partial']);
        assert.ok(content.equals(await readFile(to)));
        assert.deepEqual((await readdir(own)).toSorted(), ['from', 'to']);
      },
    ),
    contractCase('copying a missing file says that the path is not found', async () => {
      const own = await scratchFolder(folder);
      await rejectsWith('PATH_NOT_FOUND', () => files.copy(join(own, 'missing'), join(own, 'to'), {}, soon()));
      assert.deepEqual(await readdir(own), []);
    }),
  ];
}

function copyModeCases({ files, folder, cannotShow }: FileBed): readonly ContractCase[] {
  return [
    contractCase(
      'copy gives the file its mode, 0600 by default',
      async () => {
        const { own, from } = await bigFile(folder);
        await files.copy(from, join(own, 'plain'), {}, soon());
        await files.copy(from, join(own, 'program'), { mode: 0o755 }, soon());
        assert.equal((await stat(join(own, 'plain'))).mode & 0o777, 0o600);
        assert.equal((await stat(join(own, 'program'))).mode & 0o777, 0o755);
      },
      cannotShow.modes,
    ),
  ];
}

async function bigFile(folder: string): Promise<{ own: string; from: string; content: Buffer }> {
  const own = await scratchFolder(folder);
  const content = randomBytes(BYTES);
  await writeFile(join(own, 'from'), content);
  return { own, from: join(own, 'from'), content };
}
