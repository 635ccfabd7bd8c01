import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform, type BuildOptions, type TransformOptions } from 'esbuild';
import { bundleText } from '../apps/fenestra/src/load-bundle.ts';
import { ROLES, type Role } from '../apps/fenestra/src/role.ts';
import { buildStamp } from './stamp.ts';
import type { Target } from './targets.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'apps/fenestra/src');
const MAIN = 'main.cjs';
/** One of its commands must not wait for the code of the others. The other roles need all of theirs at once. */
const SPLIT_ROLE: Role = 'keadm';
/** The thread of the embedded API: where it begins, and its code. */
const THREAD = { thread: join(SOURCES, 'thread-main.ts'), 'embedded-api': join(SOURCES, 'threads/embedded-api.ts') };

const OUTPUT = {
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies TransformOptions;

/** In what an executable may differ from the one that is shipped. */
export interface Variant {
  readonly stamp?: ReturnType<typeof buildStamp>;
  /** The file with the program's entry. */
  readonly entry?: string;
}

/** The names of the program's files: the one to start, and those that are loaded when they are needed. */
export interface Bundles {
  readonly main: string;
  readonly others: readonly string[];
}

interface Bundle {
  readonly name: string;
  readonly text: string;
  /** Of which it is made. */
  readonly files: readonly string[];
}

/** Bundles the program into a folder, as CommonJS, because that is what a single executable can start. */
export async function bundleProgram(target: Target, variant: Variant, folder: string): Promise<Bundles> {
  const [whole, split] = [await bundleWhole(target, variant), await bundleSplit(target)];
  for (const { name, text } of [...whole, ...split])
    await writeFile(join(folder, name), name === MAIN ? inAscii(text) : bundleText(inAscii(text)));
  return { main: MAIN, others: [...whole, ...split].map(({ name }) => name).filter((name) => name !== MAIN) };
}

/** The files, below the checkout, of which anything at all is in the program. */
export async function bundledFiles(target: Target): Promise<readonly string[]> {
  const bundles = [...(await bundleWhole(target, {})), ...(await bundleSplit(target))];
  return [...new Set(bundles.flatMap(({ files }) => files))].toSorted();
}

/** One bundle each, with static imports alone: that lets esbuild leave out what is not used. */
async function bundleWhole(target: Target, { entry = join(SOURCES, 'main.ts'), stamp }: Variant): Promise<Bundle[]> {
  return bundle(target, {
    entryPoints: {
      main: entry,
      ...THREAD,
      ...Object.fromEntries(ROLES.filter((role) => role !== SPLIT_ROLE).map(entryOf)),
    },
    format: 'cjs',
    define: { FENESTRA_BUILD: JSON.stringify(stamp ?? buildStamp()) },
  });
}

/** One bundle for each dynamic import, and separate bundles for what several share. */
async function bundleSplit(target: Target): Promise<Bundle[]> {
  const bundles = await bundle(target, {
    entryPoints: Object.fromEntries([entryOf(SPLIT_ROLE)]),
    format: 'esm',
    splitting: true,
  });
  return Promise.all(bundles.map(asCommonJs));
}

/** esbuild splits ES modules alone. It has already warned of what is ours, and now takes libraries for ours too. */
async function asCommonJs({ name, text, files }: Bundle): Promise<Bundle> {
  const options = { ...OUTPUT, format: 'cjs', logLevel: 'error', supported: { 'dynamic-import': false } } as const;
  return { name, files, text: (await transform(text, options)).code };
}

async function bundle({ conditions }: Target, options: BuildOptions): Promise<Bundle[]> {
  const { outputFiles, metafile } = await build({
    ...OUTPUT,
    ...options,
    // The names of shared bundles come from the paths of what is in them, which must be the same anywhere.
    absWorkingDir: ROOT,
    outdir: ROOT,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    write: false,
    metafile: true,
    conditions: [...conditions],
    // A native addon that ssh2 does without.
    external: ['cpu-features'],
  });
  return outputFiles.map(({ path, text }) => {
    const inputs = Object.entries(metafile.outputs[basename(path)]?.inputs ?? {});
    const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
    return { name: basename(path), text, files };
  });
}

function entryOf(role: Role): [string, string] {
  return [role, join(SOURCES, 'roles', `${role}.ts`)];
}

/** esbuild leaves regular expressions as they are, and one letter beyond ASCII makes V8 keep a whole bundle at twice its size. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
