import { dirname } from 'node:path';
import { getBuiltinModule } from 'node:process';
import type { Script } from 'node:vm';

/** Bundles ask for each other as for files in the same folder. */
const BESIDE = './';

/** Loads bundles by their names and, when they ask for them, others, each once. */
export function bundleLoader(scriptOf: (bundle: string) => Script): (bundle: string) => unknown {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (bundle: string): unknown => {
    const known = loaded.get(bundle);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    // Before it runs, because two bundles may ask for each other.
    loaded.set(bundle, module);
    scriptOf(bundle).runInThisContext()(module.exports, require, module, dirname(process.execPath));
    return module.exports;
  };
  const require = (name: string): unknown =>
    name.startsWith(BESIDE) ? load(name.slice(BESIDE.length)) : builtin(name);
  return load;
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
