import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { compileFunction } from 'node:vm';
import type { BuildInfo } from './build-info.ts';
import type { Role } from './role.ts';

/** What every role's file offers. */
export interface RoleModule {
  /** Runs the role to its end and returns the exit code. */
  readonly play: (args: readonly string[], build: BuildInfo) => Promise<number>;
}

/** Loads one role. In the executable each is a bundle of its own, so that a command does not pay for the others. */
export async function loadRole(role: Role): Promise<RoleModule> {
  const loaded: unknown = isSea() ? loadBundle(`${role}.cjs`) : await import(sourceOf(role));
  if (isRoleModule(loaded)) return loaded;
  throw new Error(`The role "${role}" cannot be played`);
}

/** Spelled so that the bundler does not take it for a part of the launcher. */
function sourceOf(role: Role): string {
  return ['.', 'roles', `${role}.ts`].join('/');
}

function loadBundle(name: string): unknown {
  const module = { exports: {} };
  const evaluate = compileFunction(getAsset(name, 'utf8'), ['exports', 'require', 'module'], { filename: name });
  evaluate(module.exports, createRequire(process.execPath), module);
  return module.exports;
}

function isRoleModule(loaded: unknown): loaded is RoleModule {
  return typeof loaded === 'object' && loaded !== null && 'play' in loaded && typeof loaded.play === 'function';
}
