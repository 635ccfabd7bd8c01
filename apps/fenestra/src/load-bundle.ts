import { dirname } from 'node:path';
import { getBuiltinModule } from 'node:process';
import { getAsset } from 'node:sea';
import { Script } from 'node:vm';

const BESIDE = './';

const loaded = new Map<string, { exports: unknown }>();

/** Loads a bundle that the executable carries as an asset, with the bundles that it imports, each once. */
export function loadBundle(asset: string): unknown {
  const known = loaded.get(asset);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  // Before the bundle runs, because two bundles may import each other.
  loaded.set(asset, module);
  // With the offset, positions in stack traces are those in the bundle itself.
  const script = new Script(getAsset(asset, 'utf8'), { filename: asset, columnOffset: -BUNDLE_HEAD.length });
  script.runInThisContext()(module.exports, requireFromBundle, module, dirname(process.execPath));
  return module.exports;
}

function requireFromBundle(name: string): unknown {
  return name.startsWith(BESIDE) ? loadBundle(name.slice(BESIDE.length)) : builtin(name);
}

/**
 * Some libraries import optional packages that are not bundled. They are never searched for on disk: other users may be
 * able to write to folders above the executable, and this program runs as root.
 */
function builtin(name: string): unknown {
  const found: unknown = getBuiltinModule(name);
  if (found === undefined) throw new Error(`Cannot find module "${name}" in this executable`);
  return found;
}

/** The parameters of every bundle. Some libraries read `__dirname` when they load, although they use no files. */
const BUNDLE_HEAD = '(function(exports,require,module,__dirname){';

/** The text of a bundle as the executable carries it: a function around the bundler's module. */
export function bundleText(module: string): string {
  return `${BUNDLE_HEAD}${module}\n})`;
}
