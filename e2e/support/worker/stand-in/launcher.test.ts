import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { launcher } from './launcher.ts';

const isX64Linux = process.platform === 'linux' && process.arch === 'x64';

test.skipIf(!isX64Linux)('launcher makes a program that becomes another, with its own words first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-launcher-'));
  try {
    const file = join(folder, 'program');
    await writeFile(file, launcher('/bin/sh', ['-c', 'printf "%s|" "$0" "$@" "$KEPT"', 'zero']), { mode: 0o755 });
    const { stdout } = await promisify(execFile)(file, ['--a=1', 'b c'], { env: { KEPT: 'environment' } });
    expect(stdout).toBe('zero|--a=1|b c|environment|');
  } finally {
    await rm(folder, { recursive: true });
  }
});
