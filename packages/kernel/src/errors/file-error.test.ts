import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { fileError } from './file-error.ts';

test('a folder in place of a file is not blamed on the disk', async () => {
  const cause: unknown = await readFile(tmpdir()).catch((error: unknown) => error);
  expect(fileError(cause, 'read it')).toMatchObject({ code: 'FILE_FAILED', hint: 'It is a folder: name a file.' });
});
