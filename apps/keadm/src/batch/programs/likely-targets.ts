import type { ProgramSource } from '@fenestra/fleet';
import type { HostFacts } from '@fenestra/platform';
import { TARGETS, targetName, type ProgramTarget } from './program-target.ts';

/**
 * The kinds of machine whose executable is read before the first one has said what it is: those that one was given for,
 * else this machine's own kind. None that would have to be fetched or unpacked for it, perhaps for nobody.
 */
export function likelyTargets(
  { kind }: Pick<ProgramSource, 'kind'>,
  given: ReadonlyMap<string, string>,
  { os, arch }: Pick<HostFacts, 'os' | 'arch'>,
): readonly ProgramTarget[] {
  const isLikely = (target: ProgramTarget): boolean =>
    given.size > 0 ? given.has(targetName(target)) : kind === 'own' && target.os === os && target.arch === arch;
  return TARGETS.filter(isLikely);
}
