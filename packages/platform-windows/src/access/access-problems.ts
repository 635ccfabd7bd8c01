import { win32 } from 'node:path';
import {
  describeRights,
  isFullControl,
  maskOf,
  parseSddl,
  type AccessEntry,
  type SecurityText,
  trusteeName,
  FOLDER_RIGHT,
  mayChange,
} from './sddl.ts';

const ALLOWED = ['SYSTEM', 'Administrators'];

/**
 * What keeps a file or folder from being private, in words; nothing if it is private.
 * `parentPrivate` shows whether what it inherits from is: a child of a private folder is private by inheritance.
 */
export function accessProblems(sddl: string, parentPrivate: () => boolean): string[] {
  const text = parseSddl(sddl);
  if (!text.hasList) return [...ownerProblems(text, false), 'Everyone has full control: there is no access list'];
  const byInheritance = !text.protected && parentPrivate();
  return [
    ...ownerProblems(text, byInheritance),
    ...(text.protected || byInheritance ? [] : ['it inherits rights from its parent folder']),
    ...text.entries.flatMap(entryProblems),
    ...ALLOWED.filter((name) => !hasFullControl(text, name)).map((name) => `${name} lacks full control`),
  ];
}

/** A file made in a private folder belongs to who made it; an administrator is as good there as the system. */
function ownerProblems({ owner }: SecurityText, byInheritance: boolean): string[] {
  const name = trusteeName(owner ?? 'nobody');
  if (name === 'SYSTEM' || (byInheritance && name === 'Administrators')) return [];
  return [`it is owned by ${name}, not by SYSTEM`];
}

function entryProblems(entry: AccessEntry): string[] {
  const name = trusteeName(entry.trustee);
  if (entry.kind === 'deny') return ALLOWED.includes(name) ? [`${name} is denied some rights`] : [];
  return ALLOWED.includes(name) ? [] : [`${name} ${describeRights(maskOf(entry.rights))}`];
}

function hasFullControl(text: SecurityText, name: string): boolean {
  return text.entries.some(
    ({ kind, trustee, rights }) => kind === 'allow' && trusteeName(trustee) === name && isFullControl(maskOf(rights)),
  );
}

/** Who may do anything on this machine anyway. */
const ADMINISTRATIVE = ['SYSTEM', 'Administrators', 'TrustedInstaller', 'the local Administrator'];
/** They stand for anyone who makes or owns something, and let no one in by themselves. */
const PLACEHOLDERS = ['Creator Owner', 'Creator Group', 'Owner Rights'];

/**
 * Why an ordinary user could put something else in the place of what is below this folder, in words. That others may
 * add to the folder is not a reason: what is there already stays. Denials do not count, for they may be meant for fewer.
 */
export function parentProblems(folder: string, sddl: string): string[] {
  const { owner = 'nobody', hasList, entries } = parseSddl(sddl);
  const name = trusteeName(owner);
  return [
    ...(ADMINISTRATIVE.includes(name) ? [] : [`the folder "${folder}" above it is owned by ${name}`]),
    ...(hasList ? [] : [`Everyone has full control of the folder "${folder}" above it: there is no access list`]),
    ...entries.filter(isOrdinary).flatMap((entry) => parentEntryProblems(folder, entry)),
  ];
}

/** Entries that are only handed down to what is created later say nothing about the folder itself. */
function isOrdinary({ kind, flags, trustee }: AccessEntry): boolean {
  const name = trusteeName(trustee);
  return kind === 'allow' && !flags.includes('IO') && !ADMINISTRATIVE.includes(name) && !PLACEHOLDERS.includes(name);
}

function parentEntryProblems(folder: string, { rights, trustee }: AccessEntry): string[] {
  const mask = maskOf(rights);
  const [who, where] = [trusteeName(trustee), `the folder "${folder}" above it`];
  if (isFullControl(mask)) return [`${who} has full control of ${where}`];
  const may = (right: number, words: string) => ((mask & right) === 0 ? [] : [`${who} can ${words} ${where}`]);
  return [
    // No one can rename a whole disk.
    ...(isDriveRoot(folder) ? [] : may(FOLDER_RIGHT.DELETE, 'rename or delete')),
    ...may(FOLDER_RIGHT.DELETE_CHILD, 'replace what is in'),
    ...may(FOLDER_RIGHT.WRITE_DAC | FOLDER_RIGHT.WRITE_OWNER, 'change the rights of'),
  ];
}

function isDriveRoot(folder: string): boolean {
  return win32.dirname(folder) === folder;
}

/** Groups that ordinary users, or programs that act for anyone, belong to. */
const ORDINARY = ['Everyone', 'Users', 'Authenticated Users', 'Interactive', 'Guests', 'Anonymous', 'Power Users'];

/** Why ordinary users could change what is at this path, in words. Denials do not count, for they may be meant for fewer. */
export function openToUsers(path: string, sddl: string): string[] {
  const { hasList, entries } = parseSddl(sddl);
  if (!hasList) return [`Everyone has full control of "${path}": there is no access list`];
  return entries.filter(opensToUsers).map(({ trustee, rights }) => {
    return `${trusteeName(trustee)} ${describeRights(maskOf(rights))}: "${path}"`;
  });
}

/** Entries that are only handed down to what is created later say nothing about the path itself. */
function opensToUsers({ kind, flags, trustee, rights }: AccessEntry): boolean {
  return (
    kind === 'allow' && !flags.includes('IO') && ORDINARY.includes(trusteeName(trustee)) && mayChange(maskOf(rights))
  );
}
