import { constants, type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { AccessControl, PathUse } from '@fenestra/platform';
import { type ExposureRule, exposuresOf } from './exposures.ts';
import { ownProblems, parentProblems, privateMode } from './privacy.ts';

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

/** Whoever has become root by sudo may give root files of their own, but a node must not be theirs to change later. */
function ruleFor(use: PathUse): ExposureRule {
  const users = use === 'node' ? [0] : [0, ...sudoUser()];
  return { users, sharedFolder: use === 'output', creates: use !== 'output' };
}

function sudoUser(): readonly number[] {
  const { SUDO_UID = '' } = process.env;
  return /^\d+$/.test(SUDO_UID) ? [Number(SUDO_UID)] : [];
}

/** Works on an open file, so that a link put in its place meanwhile is not followed. */
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
