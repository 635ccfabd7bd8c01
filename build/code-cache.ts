import { readFileSync, writeFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { BUNDLE_PARAMETERS, cacheName } from '../apps/fenestra/src/bundle-names.ts';

/** Where the mark of the flags stands in a cache. */
const FLAGS_FROM = 12;
const FLAGS_TO = 16;

/**
 * `code-cache.ts make|settle BUNDLE…`, run by the Node.js that becomes the executable: writes beside each bundle what V8
 * makes of its text, so that the executable need not read that text again at every start.
 *
 * The same commit must give the same bytes anywhere, so caches are made with fixed seeds. V8 takes no cache that was made
 * with other flags than it runs with, and a seed is a flag, though it changes nothing about the code: a second process
 * without flags therefore writes its own mark over that of the first, and sees whether V8 takes what has become of it.
 */
const [mode, ...bundles] = process.argv.slice(2);
for (const bundle of bundles) {
  if (mode === 'make') make(bundle);
  else settle(bundle);
}

function make(bundle: string): void {
  writeFileSync(cacheName(bundle), made(readFileSync(bundle, 'latin1'), bundle));
}

function settle(bundle: string): void {
  const cache = readFileSync(cacheName(bundle));
  made('', 'nothing').copy(cache, FLAGS_FROM, FLAGS_FROM, FLAGS_TO);
  const options = { filename: bundle, cachedData: cache };
  const compiled: object = compileFunction(readFileSync(bundle, 'latin1'), BUNDLE_PARAMETERS, options);
  if (Reflect.get(compiled, 'cachedDataRejected') !== false) throw new Error(`V8 does not take the cache of ${bundle}`);
  writeFileSync(cacheName(bundle), cache);
}

function made(text: string, filename: string): Buffer {
  const options = { filename, produceCachedData: true };
  const cache: unknown = Reflect.get(compileFunction(text, BUNDLE_PARAMETERS, options), 'cachedData');
  if (Buffer.isBuffer(cache)) return cache;
  throw new Error(`V8 makes no cache of ${filename}`);
}
