import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PULL_ITERATIONS } from '../posix/fetch-function.ts';
import { openSharedReading, type SharedReading } from '../shared-reading.ts';
import { sealFile, type SealedFile } from './sealed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const content = randomBytes(3 * 1024 * 1024 + 5);

async function seal(name: string, reading: SharedReading = openSharedReading()): Promise<SealedFile> {
  const from = join(folder, name);
  writeFileSync(from, content);
  return sealFile(from, `${from}.sealed`, { random: randomBytes, reading });
}

async function bytesOf(file: SealedFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.bytes()) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

test('is read by others while it is being sealed, and is what openssl opens', async () => {
  const file = await seal('whole');
  const [one, two] = await Promise.all([bytesOf(file), bytesOf(file)]);
  expect(one.length).toBe(file.size);
  expect(one.equals(two)).toBe(true);
  expect(one.includes(content.subarray(0, 64))).toBe(false);
  const words = ['enc', '-d', '-aes-256-ctr', '-pbkdf2', '-iter', String(PULL_ITERATIONS), '-md', 'sha256'];
  const opened = execFileSync('openssl', [...words, '-pass', `pass:${file.key}`], { input: one, maxBuffer: 2 ** 26 });
  expect(opened.equals(content)).toBe(true);
  await file.done;
  expect(file.isBroken()).toBe(false);
  expect(statSync(join(folder, 'whole.sealed')).mode & 0o777).toBe(0o600);
});

test('a file that becomes shorter meanwhile is not waited for', async () => {
  const shared = openSharedReading();
  const from = join(folder, 'shorter');
  const reading: SharedReading = {
    async *bytes(path, size, isThere) {
      if (path === from) truncateSync(from, 1024 * 1024);
      yield* shared.bytes(path, size, isThere);
    },
  };
  const file = await seal('shorter', reading);
  await expect(bytesOf(file)).rejects.toThrow('no more will come');
  await file.done;
  expect(file.isBroken()).toBe(true);
});
