import { constants, type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Stats } from 'node:fs';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { AccessControl, PathUse } from '@fenestra/platform';
import { type ExposureRule, exposuresOf } from './exposures.ts';

/** Owners and modes. Private is what root alone may touch, or the current account alone where we are not root. */
export function posixAccessControl(): AccessControl {
  return {
    async makePrivate(path) {
      try {
        await makePrivate(path, trustedUser());
      } catch (cause) {
        throw systemCodeOf(cause) === 'ELOOP' ? linkError(path, cause) : fileError(cause, `make "${path}" private`);
      }
    },
    async inspect(path) {
      try {
        const problems = await problemsOf(resolve(path), trustedUser());
        return { private: problems.length === 0, problems };
      } catch (cause) {
        throw fileError(cause, `read the access rights of "${path}"`);
      }
    },
    async exposures(path, use) {
      if (trustedUser() !== 0) return [];
      return exposuresOf(path, ruleFor(use)).catch((cause: unknown) => {
        throw fileError(cause, `read the access rights of "${path}"`);
      });
    },
  };
}

/** Anyone who has become root by sudo may give root files of their own, but a node must not be theirs to change later. */
function ruleFor(use: PathUse): ExposureRule {
  const users = use === 'node' ? [0] : [0, ...sudoUser()];
  return { users, sharedFolder: use === 'output', creates: use !== 'output' };
}

function sudoUser(): readonly number[] {
  const { SUDO_UID = '' } = process.env;
  return /^\d+$/.test(SUDO_UID) ? [Number(SUDO_UID)] : [];
}

/** Works on an open file, so that a link put in its place in the meantime is not followed. */
async function makePrivate(path: string, user: number): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await takeOwnership(handle, user);
    // Also empties the mask of an access control list, if there is one: named users lose their rights with the group.
    await handle.chmod(privateMode(await handle.stat()));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function takeOwnership(handle: FileHandle, user: number): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (user === 0 ? uid !== 0 || gid !== 0 : uid !== user) await handle.chown(user, user === 0 ? 0 : gid);
}

async function problemsOf(path: string, user: number): Promise<readonly string[]> {
  const problems = [...ownProblems(await lstat(path), user)];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    problems.push(...parentProblems(folder, await lstat(folder), user));
    if (folder === dirname(folder)) return problems;
  }
}

function trustedUser(): number {
  return process.geteuid?.() ?? 0;
}

function linkError(path: string, cause: unknown): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot make "${path}" private, because it is a symbolic link`, {
    hint: 'Give the path that the link leads to.',
    cause,
  });
}

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
function privateMode(rights: Rights): number {
  return rights.isDirectory() ? 0o700 : 0o600 | (rights.mode & 0o100);
}

/** What keeps a file or folder from being private to `user`, in words. */
export function ownProblems(rights: Rights, user: number): readonly string[] {
  if (rights.isSymbolicLink()) return ['it is a symbolic link'];
  const owner = rights.uid === user || rights.uid === 0 ? [] : [`it belongs to user ${rights.uid}`];
  return [...owner, ...GRANTS.filter(([bit]) => (rights.mode & bit) !== 0).map(([, words]) => words)];
}

/** Why someone else could put another file in the place of one below this folder, in words. */
export function parentProblems(folder: string, rights: Pick<Rights, 'mode' | 'uid'>, user: number): readonly string[] {
  const { mode, uid } = rights;
  // In a sticky folder, such as /tmp, no one can rename or delete what belongs to another.
  const guarded = (mode & STICKY) !== 0;
  return [
    ...(uid === user || uid === 0 ? [] : [`the folder "${folder}" above it belongs to user ${uid}`]),
    ...(guarded || (mode & 0o020) === 0 ? [] : [`the group of the folder "${folder}" above it can replace it`]),
    ...(guarded || (mode & 0o002) === 0 ? [] : [`everybody can replace it in the folder "${folder}" above it`]),
  ];
}
