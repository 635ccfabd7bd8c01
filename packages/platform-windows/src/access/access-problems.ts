import { describeRights, isFullControl, maskOf } from './rights.ts';
import { parseSddl, type AccessEntry, type SecurityText } from './sddl.ts';
import { trusteeName } from './trustees.ts';

const ALLOWED = ['SYSTEM', 'Administrators'];

/**
 * What keeps a file or folder from being private, in words; nothing if it is private.
 * `parentPrivate` tells whether what it inherits from is: a child of a private folder is private by inheritance.
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
