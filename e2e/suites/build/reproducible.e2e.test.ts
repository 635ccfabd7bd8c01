import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildStamp } from '../../../build/stamp.ts';
import { TARGETS } from '../../../build/targets.ts';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { mustRun } from '../../support/beds/command.ts';

const NOBODY = 65_534;
/** What is not a source: it is made here, or says which commit this is. */
const NOT_COPIED = ['.git', 'dist', 'test-results'];
const BUILD_MS = 10 * 60_000;
/** The runtime of this one is the one that builds, so it alone could carry anything of the machine; the others take long. */
const CHOSEN = process.env['FENESTRA_E2E_SHORT'] === 'yes' ? ['linux-x64'] : TARGETS.map(({ name }) => name);
const { signal } = new AbortController();
const load: ChildProcess[] = [];
let folder: string;
/** The same sources in another folder. */
let copy: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-build-'));
  await chmod(folder, 0o755);
  copy = join(folder, 'another', 'checkout');
  await mkdir(copy, { recursive: true });
  const entries = (await readdir(CHECKOUT)).filter((entry) => !NOT_COPIED.includes(entry));
  await mustRun(['cp', '-a', '--reflink=auto', ...entries.map((entry) => join(CHECKOUT, entry)), copy], {}, signal);
  for (let core = 0; core < 2 * availableParallelism(); core += 1)
    load.push(spawn(process.execPath, ['-e', 'for (;;);']));
});
afterAll(async () => {
  for (const busy of load) busy.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

test.each(TARGETS.filter(({ name }) => CHOSEN.includes(name)))(
  'two users who build $name in different folders of a busy machine get the same bytes',
  { timeout: 2 * BUILD_MS },
  async ({ name, executable }) => {
    const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
    await mkdir(ours, { recursive: true });
    await mkdir(theirs, { recursive: true });
    await chown(theirs, NOBODY, NOBODY);
    await Promise.all([
      build(CHECKOUT, ours, name, []),
      build(copy, theirs, name, ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']),
    ]);
    expect(await digestOf(join(theirs, name, executable))).toBe(await digestOf(join(ours, name, executable)));
  },
);

async function build(checkout: string, into: string, target: string, as: readonly string[]): Promise<void> {
  const main = join(checkout, 'e2e/suites/build/build-main.ts');
  const command = [...as, process.execPath, main, into, JSON.stringify(buildStamp()), target];
  await mustRun(
    command,
    { timeoutMs: BUILD_MS, env: as.length > 0 ? { HOME: into, LANG: 'C', TZ: 'Asia/Tokyo' } : {} },
    signal,
  );
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
