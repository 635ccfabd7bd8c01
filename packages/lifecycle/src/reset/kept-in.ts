import { basename } from 'node:path';
import type { NodeLayout } from '@fenestra/platform';
import type { JudgedFolder, Kept } from '@fenestra/steps';

/** What stays of the node's folders, in the words of a report. */
export function keptIn(folders: readonly JudgedFolder[], layout: NodeLayout): readonly Kept[] {
  return folders.flatMap(({ strangers, mounted }) => [
    ...strangers.map((path) => ({ path, why: whyStranger(path, layout) })),
    ...mounted.map((path) => ({ path, why: 'something is mounted in it; unmount that, then run "keadm reset" again' })),
  ]);
}

function whyStranger(path: string, { cloudFolder, backupsFolder }: NodeLayout): string {
  if (path === cloudFolder || basename(path).startsWith('cloudcore')) return 'it belongs to the cloud on this machine';
  if (path === backupsFolder || basename(path) === 'backup') return 'backups are kept, as asked';
  return 'it was not made for the node';
}
