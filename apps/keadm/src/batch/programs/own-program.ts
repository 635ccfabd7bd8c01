import { dirname, join } from 'node:path';
import { RELEASE_FILE } from '@fenestra/releases';
import { pathExists } from '@fenestra/platform';
import { describedProgram } from './described-program.ts';
import type { ProgramTools } from './program-tools.ts';
import { keadmFile, targetName, type FoundProgram, type ProgramTarget } from './program-target.ts';

/** What a program that was started from its sources calls its version: then the file it runs from is no keadm. */
const FROM_SOURCES = /-source$/;

/** This very executable where it fits, else one for the other kind of machine from the same build beside it. */
export async function ownProgram(target: ProgramTarget, tools: ProgramTools): Promise<FoundProgram | undefined> {
  const { executable, version } = tools.environment;
  if (FROM_SOURCES.test(version)) return undefined;
  const own = await describedProgram(executable, target, version).catch(() => undefined);
  if (own !== undefined) return own;
  const folder = dirname(executable);
  if (await pathExists(join(folder, RELEASE_FILE))) {
    const { releasedProgram } = await import('./released-program.ts');
    return releasedProgram(folder, target, { version: undefined }, tools);
  }
  const sibling = join(folder, '..', targetName(target), keadmFile(target));
  return (await pathExists(sibling)) ? describedProgram(sibling, target, version) : undefined;
}
