import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { compileFunction } from 'node:vm';

/** Parts of roles that are too heavy to be loaded with every command. */
export const PARTS = ['cloud-tools'] as const;

/** Loads a file of ours when it is needed. In the executable it is a bundle of its own, carried as an asset. */
export async function loadBundle(folder: 'roles' | 'parts', name: string): Promise<unknown> {
  return isSea() ? evaluate(`${name}.cjs`) : await import(sourceOf(folder, name));
}

function evaluate(asset: string): unknown {
  const module = { exports: {} };
  const run = compileFunction(getAsset(asset, 'utf8'), ['exports', 'require', 'module'], { filename: asset });
  run(module.exports, createRequire(process.execPath), module);
  return module.exports;
}

/** Spelled so that the bundler does not take it for a part of what loads it. */
function sourceOf(folder: string, name: string): string {
  return ['.', folder, `${name}.ts`].join('/');
}
