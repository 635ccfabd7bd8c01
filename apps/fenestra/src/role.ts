import { isSea } from 'node:sea';
import type { BuildInfo } from './build-info.ts';
import { loadBundle } from './load-bundle.ts';

/**
 * The parts this program can play. Three are for our own use: `supervise` where there is no service manager, `guard`,
 * which brings a node back if the command that changes it dies, and `kubelet`, which starts that of Kubernetes.
 */
export const ROLES = ['keadm', 'edgecore', 'cloudcore', 'supervise', 'guard', 'kubelet'] as const;
export type Role = (typeof ROLES)[number];

/** Picks the role by the first word, else by the name the program was called by, and gives the words that are left. */
export function pickRole(calledAs: string, args: readonly string[]): { role: Role; args: readonly string[] } {
  const [first, ...rest] = args;
  const asked = findRole(first);
  if (asked !== undefined) return { role: asked, args: rest };
  return { role: findRole(baseName(calledAs)) ?? 'keadm', args };
}

function findRole(word: string | undefined): Role | undefined {
  return ROLES.find((role) => role === word);
}

/** Windows and Linux paths alike; `KEADM.EXE` is keadm. */
function baseName(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? '';
  return file.toLowerCase().replace(/\.exe$/, '');
}

/** What every role's file offers. */
export interface RoleModule {
  /** Runs the role until it ends and returns the exit code. */
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
