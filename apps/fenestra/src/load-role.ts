import { isSea } from 'node:sea';
import type { BuildInfo } from './build-info.ts';
import { loadBundle } from './load-bundle.ts';
import type { Role } from './role.ts';

/** What every role's file offers. */
export interface RoleModule {
  /** Runs the role to its end and returns the exit code. */
  readonly play: (args: readonly string[], build: BuildInfo) => Promise<number>;
}

/** Loads one role and none of the others. */
export async function loadRole(role: Role): Promise<RoleModule> {
  const loaded: unknown = isSea() ? loadBundle(`${role}.cjs`) : await import(sourceOf(role));
  if (isRoleModule(loaded)) return loaded;
  throw new Error(`The role "${role}" cannot be played`);
}

/** Spelled so that the bundler does not take it for a part of what loads it. */
function sourceOf(role: Role): string {
  return ['.', 'roles', `${role}.ts`].join('/');
}

function isRoleModule(loaded: unknown): loaded is RoleModule {
  return typeof loaded === 'object' && loaded !== null && 'play' in loaded && typeof loaded.play === 'function';
}
