import { parseSddl, type AccessEntry } from './sddl.ts';
import { describeRights, maskOf, mayChange } from './rights.ts';
import { trusteeName } from './trustees.ts';

/** Groups that ordinary users, or programs that act for anybody, belong to. */
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
