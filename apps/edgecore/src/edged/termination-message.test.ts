import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANNOTATIONS } from '@fenestra/pods';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastWordOf } from './termination-message.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fenestra-message-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const LOG = '2026-01-01T00:00:00.000000000Z';

async function messageOf(policy: string, exitCode: number, runtimeSays = ''): Promise<string> {
  const mounts = [
    { containerPath: '/data', hostPath: '/nowhere' },
    { containerPath: '/dev/termination-log', hostPath: join(folder, 'message') },
  ];
  return lastWordOf(
    { exitCode, message: runtimeSays, logPath: join(folder, '0.log'), mounts },
    {
      [ANNOTATIONS.terminationMessagePath]: '/dev/termination-log',
      [ANNOTATIONS.terminationMessagePolicy]: policy,
    },
  );
}

function write(message: string | Buffer, log: readonly string[] = []): void {
  writeFileSync(join(folder, 'message'), message);
  writeFileSync(join(folder, '0.log'), log.map((line) => `${LOG} ${line}\n`).join(''));
}

test('the file that the container wrote is its last word, after that of the runtime', async () => {
  write('done', ['stdout F not this']);
  expect(await messageOf('FallbackToLogsOnError', 1)).toBe('done');
  expect(await messageOf('File', 0, 'OOM')).toBe('OOM: done');
});

test('of a large file only the beginning is read', async () => {
  write(Buffer.alloc(10_000, 'x'));
  expect(await messageOf('File', 0)).toBe('x'.repeat(4096));
});

test('a container that failed without a word is quoted from its log, if it asks for that', async () => {
  write('', ['stdout F one', 'stderr P tw', 'stderr F o', 'stdout F ']);
  expect(await messageOf('FallbackToLogsOnError', 1)).toBe('one\ntwo\n\n');
  expect(await messageOf('FallbackToLogsOnError', 0)).toBe('');
  expect(await messageOf('File', 1)).toBe('');
});

test('of a long log only the end counts', async () => {
  write(
    '',
    Array.from({ length: 5000 }, (_, index) => `stdout F line ${index}`),
  );
  const message = await messageOf('FallbackToLogsOnError', 1);
  expect(message.startsWith('line 4920\n')).toBe(true);
  expect(message.endsWith('line 4999\n')).toBe(true);
});

test('files that are missing count as empty', async () => {
  expect(await messageOf('FallbackToLogsOnError', 1, 'killed')).toBe('killed');
});

test('a link or a pipe at the place of the file is not read', async () => {
  writeFileSync(join(folder, 'secret'), 'secret');
  symlinkSync(join(folder, 'secret'), join(folder, 'message'));
  expect(await messageOf('File', 0)).toBe('');
  rmSync(join(folder, 'message'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'message')]);
  expect(await messageOf('File', 0)).toBe('');
});
