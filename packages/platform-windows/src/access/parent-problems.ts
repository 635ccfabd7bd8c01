import { win32 } from 'node:path';
import { FOLDER_RIGHT, isFullControl, maskOf } from './rights.ts';
import { parseSddl, type AccessEntry } from './sddl.ts';
import { trusteeName } from './trustees.ts';

/** Who may do anything on this machine anyway. */
const ADMINISTRATIVE = ['SYSTEM', 'Administrators', 'TrustedInstaller', 'the local Administrator'];
/** They stand for whoever makes or owns something, and let nobody in by themselves. */
const PLACEHOLDERS = ['Creator Owner', 'Creator Group', 'Owner Rights'];

/**
 * Why an ordinary user could put something else in the place of what is below this folder, in words. That others may
 * add to the folder is no reason: what is there already stays. Denials do not count, for they may be meant for fewer.
 */
export function parentProblems(folder: string, sddl: string): string[] {
  const { owner = 'nobody', hasList, entries } = parseSddl(sddl);
  const name = trusteeName(owner);
  return [
    ...(ADMINISTRATIVE.includes(name) ? [] : [`the folder "${folder}" above it is owned by ${name}`]),
    ...(hasList ? [] : [`Everyone has full control of the folder "${folder}" above it: there is no access list`]),
    ...entries.filter(isOrdinary).flatMap((entry) => entryProblems(folder, entry)),
  ];
}

/** Entries that are only handed down to what is created later say nothing about the folder itself. */
function isOrdinary({ kind, flags, trustee }: AccessEntry): boolean {
  const name = trusteeName(trustee);
  return kind === 'allow' && !flags.includes('IO') && !ADMINISTRATIVE.includes(name) && !PLACEHOLDERS.includes(name);
}

function entryProblems(folder: string, { rights, trustee }: AccessEntry): string[] {
  const mask = maskOf(rights);
  const [who, where] = [trusteeName(trustee), `the folder "${folder}" above it`];
  if (isFullControl(mask)) return [`${who} has full control of ${where}`];
  const may = (right: number, words: string) => ((mask & right) === 0 ? [] : [`${who} can ${words} ${where}`]);
  return [
    // Nobody can rename a whole disk.
    ...(isDriveRoot(folder) ? [] : may(FOLDER_RIGHT.DELETE, 'rename or delete')),
    ...may(FOLDER_RIGHT.DELETE_CHILD, 'replace what is in'),
    ...may(FOLDER_RIGHT.WRITE_DAC | FOLDER_RIGHT.WRITE_OWNER, 'change the rights of'),
  ];
}

function isDriveRoot(folder: string): boolean {
  return win32.dirname(folder) === folder;
}
