import { type Check, fail, pass } from './check.ts';

/** Whether anything is left of an earlier node, which the new one would be mistaken for. */
export const leftoverState: Check<{
  readonly leftovers: readonly string[];
  /** The command that removes them. */
  readonly resetCommand: string;
  /** Programs that would be replaced although keadm did not install them. */
  readonly foreignPrograms?: readonly string[];
}> = {
  name: 'leftover-state',
  about: 'nothing is left of an earlier node or of another join',
  judge({ leftovers, resetCommand, foreignPrograms = [] }) {
    if (leftovers.length > 0)
      return fail(
        `An earlier node left ${quoted(leftovers)}`,
        `Look whether anything there is still needed, then run "${resetCommand}".`,
      );
    if (foreignPrograms.length > 0)
      return fail(
        `${quoted(foreignPrograms)} was not installed by keadm and would be replaced`,
        'Move it away if it is still needed.',
      );
    return pass('Nothing is left of an earlier node');
  },
};

function quoted(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(', ');
}
