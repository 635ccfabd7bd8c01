import { getBuiltinModule } from 'node:process';
import { getAsset, getRawAsset } from 'node:sea';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { BUNDLE_PARAMETERS, cacheName } from './bundle-names.ts';

/** Bundles ask for each other as for files in the same folder. */
const BESIDE = './';

/** Loads a bundle that the executable carries as an asset and, when it asks for them, others, each once. */
export function loadBundle(asset: string): unknown {
  return bundleLoader()(`${BESIDE}${asset}`);
}

function bundleLoader(): (name: string) => unknown {
  const loaded = new Map<string, { exports: unknown }>();
  return function load(name) {
    if (!name.startsWith(BESIDE)) return builtin(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    // Before it runs, because two bundles may ask for each other.
    loaded.set(name, module);
    compile(name.slice(BESIDE.length))(module.exports, load, module, dirname(process.execPath));
    return module.exports;
  };
}

/**
 * Libraries ask for optional ones that we do not carry. Those must not be looked for on disk: in folders above the
 * executable others may be able to put code, and this program has all rights.
 */
function builtin(name: string): unknown {
  const found: unknown = getBuiltinModule(name);
  if (found === undefined) throw new Error(`There is no "${name}" in this executable`);
  return found;
}

function compile(asset: string): Function {
  const cachedData = cacheOf(asset);
  const options = { filename: asset, ...(cachedData === undefined ? {} : { cachedData }) };
  return compileFunction(getAsset(asset, 'utf8'), BUNDLE_PARAMETERS, options);
}

/** V8 itself refuses one that does not fit, and compiles the text. */
function cacheOf(asset: string): Uint8Array | undefined {
  try {
    return new Uint8Array(getRawAsset(cacheName(asset)));
  } catch {
    return undefined;
  }
}
