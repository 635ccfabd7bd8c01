import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram, type Bundles, type Variant } from './bundle-program.ts';
import { REJECTED_CODE_CACHE, runtimeOptions } from './runtime-options.ts';
import type { Target } from './targets.ts';

const ROOT = join(import.meta.dirname, '..');
const BLOB = 'program.blob';
/** Marks the place in Node's own binary that says whether an application is inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes `<dist>/<target>/keadm`: Node.js with the bundled program and its assets inside. Returns its path. */
export async function makeExecutable(
  target: Target,
  dist = join(ROOT, 'dist'),
  variant: Variant = {},
): Promise<string> {
  const folder = join(dist, target.name);
  const work = join(dist, '.work', target.name);
  await mkdir(folder, { recursive: true });
  await mkdir(work, { recursive: true });
  const draft = join(work, target.executable);
  await copyFile(target.runtime, draft);
  const bundles = await bundleProgram(target, variant, work);
  await inject(draft, await makeBlob(target, bundles, work));
  await chmod(draft, 0o755);
  const executable = join(folder, target.executable);
  await rename(draft, executable);
  return executable;
}

/** Every path is relative to the work folder: the blob keeps them, and the same commit must give the same bytes anywhere. */
async function makeBlob(target: Target, { main, others }: Bundles, work: string): Promise<string> {
  const settings = {
    main,
    output: BLOB,
    assets: { ...Object.fromEntries(others.map((file) => [file, file])), ...target.assets },
    disableExperimentalSEAWarning: true,
    ...runtimeOptions(target),
    useCodeCache: REJECTED_CODE_CACHE.useCodeCache,
    // It depends on the build machine and is not reproducible.
    useSnapshot: false,
  };
  await writeFile(join(work, 'sea.json'), JSON.stringify(settings));
  await run([...REJECTED_CODE_CACHE.flags, '--experimental-sea-config', 'sea.json'], work);
  return join(work, BLOB);
}

/** Runs postject as a separate process: its warnings concern Node's own binary, and only failures matter. */
async function inject(executable: string, blob: string): Promise<void> {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  await run([postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], ROOT);
}

async function run(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, args, { cwd });
}
