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
  const loaded = await loadBundle('roles', role);
  if (isRoleModule(loaded)) return loaded;
  throw new Error(`The role "${role}" cannot be played`);
}

function isRoleModule(loaded: unknown): loaded is RoleModule {
  return typeof loaded === 'object' && loaded !== null && 'play' in loaded && typeof loaded.play === 'function';
}
