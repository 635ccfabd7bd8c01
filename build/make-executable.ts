import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheName } from '../apps/fenestra/src/bundle-script.ts';
import { bundleProgram, type Bundles, type Variant } from './bundle-program.ts';
import type { Target } from './targets.ts';

const ROOT = join(import.meta.dirname, '..');
const BLOB = 'program.blob';
const CACHE_MS = 120_000;
const CODE_CACHE = join(import.meta.dirname, 'code-cache.ts');
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
  const executable = join(folder, target.executable);
  await writeInSmallPieces(draft, `${executable}.partial`);
  await rename(`${executable}.partial`, executable);
  await rm(draft);
  return executable;
}

/**
 * Streams write 64 KiB at a time. The kernel keeps a file that was written in large pieces in large pieces, and maps
 * them whole: a fresh program written at once holds 27 MB more in memory than the same bytes written like this.
 */
async function writeInSmallPieces(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o755 }));
}

/** Every path is relative to the work folder: the blob keeps them, and the same commit must give the same bytes anywhere. */
async function makeBlob(target: Target, { main, others, commands }: Bundles, work: string): Promise<string> {
  const caches = await makeCaches(target, commands, work);
  const settings = {
    main,
    output: BLOB,
    assets: { ...Object.fromEntries([...others, ...caches].map((file) => [file, file])), ...target.assets },
    disableExperimentalSEAWarning: true,
    // Of the main bundle, which is small. Either is made for the building machine's system and processor alone.
    useCodeCache: false,
    useSnapshot: false,
  };
  await writeFile(join(work, 'sea.json'), JSON.stringify(settings));
  await run(['--experimental-sea-config', 'sea.json'], work);
  return join(work, BLOB);
}

/** Nothing is left to chance or to other threads, and all code that has been run is kept. */
const SEEDS = ['--predictable', '--hash-seed=1', '--random-seed=1', '--no-flush-bytecode'];
/** V8 notes which functions were worth compiling, and how often one is called goes by the lengths of paths. */
const UNCOMPILED = ['--no-sparkplug', '--no-maglev', '--no-opt'];
/** V8 leaves gaps between its objects as they are: in memory that was never used before, they are empty. */
const ROOM = ['--initial-heap-size=1024', '--min-semi-space-size=128', '--max-semi-space-size=128'];
/** With them a cache holds the same each time. */
const STEADY = [...SEEDS, ...UNCOMPILED, ...ROOM];

/** A runtime for another system or processor cannot be run here; its executable compiles its bundles when it starts. */
async function makeCaches(
  { name, runtime }: Target,
  bundles: readonly string[],
  work: string,
): Promise<readonly string[]> {
  if (name !== `${process.platform}-${process.arch}`) return [];
  // Whatever this machine sets for Node.js would be in the cache too.
  const made = { cwd: work, env: {}, timeout: CACHE_MS };
  for (const [mode, flags] of [
    ['make', STEADY],
    ['renumber', STEADY],
    ['settle', []],
  ] as const)
    await promisify(execFile)(runtime, [...flags, CODE_CACHE, mode, ...bundles], made);
  return bundles.map(cacheName);
}

/** In a process of its own: it warns about things in Node's own binary that nobody can change, and only failures matter. */
async function inject(executable: string, blob: string): Promise<void> {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  await run([postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], ROOT);
}

async function run(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, args, { cwd });
}
