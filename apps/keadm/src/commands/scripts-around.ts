import type { NodeSession, ScriptedWork, ScriptFacts } from '@fenestra/session';
import type { KeadmEnvironment } from '../platform.ts';
import type { LifecycleFlags } from './lifecycle-options.ts';

/** A command's work that may have scripts around it. */
export interface SurroundedWork {
  readonly session: NodeSession;
  readonly flags: LifecycleFlags;
  readonly facts: Omit<ScriptFacts, 'os' | 'arch'>;
}

/** The scripts that the operator wants around a command's work, for `withScripts`. */
export async function scriptsAround(
  { loadPlatform }: KeadmEnvironment,
  { session, flags, facts }: SurroundedWork,
): Promise<ScriptedWork> {
  const { root, preRun, postRun, scriptLimit: limitSeconds } = flags;
  const { os, arch } = await session.host.facts();
  const { scripts } = await loadPlatform(root);
  return { wishes: { preRun, postRun, limitSeconds }, scripts, session, facts: { ...facts, os, arch } };
}
