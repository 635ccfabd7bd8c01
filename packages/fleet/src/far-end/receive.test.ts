import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ParcelHeader } from './messages.ts';
import { unpackParcel } from './receive.ts';
import { testPorts } from './testing/test-ports.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'unpack-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const ports = testPorts([], () => undefined);
const { signal } = new AbortController();

/** In pieces that end anywhere. */
async function* stream(header: unknown, ...contents: readonly string[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(`${JSON.stringify(header)}\n${contents.join('')}`);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

function file(path: string, content: string, mode = 0o600): ParcelHeader[number] {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { kind: 'file', path, mode, size: content.length, sha256 };
}

const FOLDER = { kind: 'folder', path: 'a', mode: 0o755 } as const;

test('files and folders are there as they were sent, with their rights', async () => {
  const folder = join(scratch, 'good');
  const header = [FOLDER, file('a/run', 'echo', 0o755), file('a/empty', ''), file('key', 'secret, and long enough')];
  await unpackParcel(folder, stream(header, 'echo', 'secret, and long enough'), ports, signal);
  expect(readFileSync(join(folder, 'a/run'), 'utf8')).toBe('echo');
  expect(statSync(join(folder, 'a/run')).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(folder, 'key'), 'utf8')).toBe('secret, and long enough');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  ['cut off', stream([file('a', 'whole')], 'who')],
  ['of other bytes', stream([file('a', 'whole')], 'wrong')],
  ['without a list', stream('nonsense')],
  ['that leads out of the folder', stream([file('../a', 'x')], 'x')],
])('a parcel %s is not there at all', async (_what, bytes) => {
  const folder = join(scratch, 'bad');
  await expect(unpackParcel(folder, bytes, ports, signal)).rejects.toMatchObject({ code: 'DELIVERY_FAILED' });
  expect(existsSync(folder)).toBe(false);
});
