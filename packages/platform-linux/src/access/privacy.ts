import type { Stats } from 'node:fs';

/** The part of a file's status that tells who may touch it. */
export type Rights = Pick<Stats, 'mode' | 'uid' | 'isDirectory' | 'isSymbolicLink'>;

const STICKY = 0o1000;

const GRANTS: readonly (readonly [bit: number, words: string])[] = [
  [0o040, 'its group can read it'],
  [0o020, 'its group can write to it'],
  [0o010, 'its group can enter or run it'],
  [0o004, 'everybody can read it'],
  [0o002, 'everybody can write to it'],
  [0o001, 'everybody can enter or run it'],
];

/** The mode of a private folder or file; a program stays runnable for its owner. */
export function privateMode(rights: Rights): number {
  return rights.isDirectory() ? 0o700 : 0o600 | (rights.mode & 0o100);
}

/** What keeps a file or folder from being private to `user`, in words. */
export function ownProblems(rights: Rights, user: number): readonly string[] {
  if (rights.isSymbolicLink()) return ['it is a symbolic link'];
  const owner = rights.uid === user || rights.uid === 0 ? [] : [`it belongs to user ${rights.uid}`];
  return [...owner, ...GRANTS.filter(([bit]) => (rights.mode & bit) !== 0).map(([, words]) => words)];
}

/** Why somebody else could put another file in the place of one below this folder, in words. */
export function parentProblems(folder: string, rights: Pick<Rights, 'mode' | 'uid'>, user: number): readonly string[] {
  const { mode, uid } = rights;
  // In a sticky folder, such as /tmp, nobody can rename or delete what belongs to another.
  const guarded = (mode & STICKY) !== 0;
  return [
    ...(uid === user || uid === 0 ? [] : [`the folder "${folder}" above it belongs to user ${uid}`]),
    ...(guarded || (mode & 0o020) === 0 ? [] : [`the group of the folder "${folder}" above it can replace it`]),
    ...(guarded || (mode & 0o002) === 0 ? [] : [`everybody can replace it in the folder "${folder}" above it`]),
  ];
}
