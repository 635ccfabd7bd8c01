import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { bundleLoader } from '../apps/fenestra/src/bundle-loader.ts';
import { bundleScript, cacheName } from '../apps/fenestra/src/bundle-script.ts';
import { EXAMPLE_BATCH_FILE } from '../packages/fleet/src/inventory/example-file.ts';
import { rehearse } from './rehearsal.ts';

/** Where the mark of the flags stands in a cache. */
const FLAGS_FROM = 12;
const FLAGS_TO = 16;

/** The bundle that the others are loaded by. */
const FIRST = 'keadm.cjs';

/**
 * `code-cache.ts make|renumber|settle BUNDLE…`, run by the Node.js that becomes the executable, in the folder with the bundles:
 * writes beside each what V8 makes of its text, so that the executable need not read that text again at every start. V8
 * reads a function when it is first called, so the caches are made after what every command does has been done once.
 *
 * The same commit must give the same bytes anywhere, so caches are made with fixed seeds. V8 numbers functions in the order
 * in which they are first called, which is never quite the same: a second process reads the caches and writes them anew,
 * and so they are numbered as they stand in the text. V8 takes no cache that was made with other flags than it runs with,
 * and a seed is a flag, though it changes nothing about the code: a third process without flags therefore writes its own
 * mark over that of the others, and sees whether V8 takes what has become of it.
 */
const [mode, ...bundles] = process.argv.slice(2);
if (mode === 'make') await make();
else bundles.forEach(mode === 'renumber' ? renumber : settle);

async function make(): Promise<void> {
  const scripts = new Map<string, Script>();
  const load = bundleLoader((bundle) => {
    const script = bundleScript(bundle, textOf(bundle));
    scripts.set(bundle, script);
    return script;
  });
  for (const bundle of bundles) load(bundle);
  await playUsualCommands(load(FIRST));
  for (const [bundle, script] of scripts) writeFileSync(cacheName(bundle), script.createCachedData());
}

/** Neither settings nor left-overs of whoever builds are looked at, so that they do the same for anybody. */
async function playUsualCommands(role: unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keadm-rehearsal-'));
  Object.assign(process.env, { TMPDIR: folder, HOME: folder });
  try {
    const example = join(folder, 'example.yaml');
    writeFileSync(example, EXAMPLE_BATCH_FILE, { mode: 0o600 });
    await play(role, ['batch', 'validate', '-c', example]);
    await rehearse(folder, async (command) => play(role, command));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function play(role: unknown, command: readonly string[]): Promise<void> {
  const run: unknown = typeof role === 'object' && role !== null ? Reflect.get(role, 'play') : undefined;
  if (typeof run !== 'function') throw new Error(`There is nothing to play in ${FIRST}`);
  const exitCode: unknown = await run(command, { version: 'v0.0.0', commit: '', commitTime: '', trustKeys: [] });
  if (exitCode !== 0) throw new Error(`"${command.join(' ')}" ended with ${String(exitCode)}`);
}

function renumber(bundle: string): void {
  writeFileSync(cacheName(bundle), take(bundle).script.createCachedData());
}

function settle(bundle: string): void {
  writeFileSync(cacheName(bundle), take(bundle).cache);
}

/** Has V8 read a cache as if it was made with this process's flags. */
function take(bundle: string): { readonly script: Script; readonly cache: Buffer } {
  const cache = readFileSync(cacheName(bundle));
  new Script('').createCachedData().copy(cache, FLAGS_FROM, FLAGS_FROM, FLAGS_TO);
  const script = bundleScript(bundle, textOf(bundle), cache);
  if (script.cachedDataRejected !== false) throw new Error(`V8 does not take the cache of ${bundle}`);
  return { script, cache };
}

function textOf(bundle: string): string {
  return readFileSync(bundle, 'latin1');
}
