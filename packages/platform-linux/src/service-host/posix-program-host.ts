import { access, constants } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import { type ProgramCommand, type ProgramHost } from '@fenestra/platform';
import { announceReadiness, READINESS_VARIABLE } from './readiness.ts';

/** How this process ends where there is nothing to run yet. A program that it became ends with its codes. */
export const NOTHING_TO_RUN = 75;

/** What a program expects that was written for any service manager. Ours are stricter with themselves. */
const USUAL_UMASK = 0o022;

/** Turns this process into the program: the service manager keeps its output, signals reach it, and nothing of ours stays. */
export function posixProgramHost(): ProgramHost {
  return {
    async run({ compose }) {
      const readinessFile = process.env[READINESS_VARIABLE];
      await announceReadiness(readinessFile, 'starting');
      const command = await compose();
      if (command === undefined) return NOTHING_TO_RUN;
      await requireRunnable(command);
      // The last word that can be said: from here on no one is left who would.
      await announceReadiness(readinessFile, 'ready');
      return become(command);
    },
  };
}

/** Node.js ends itself with a core dump if the system refuses, so that is found out before. */
async function requireRunnable({ executable }: ProgramCommand): Promise<void> {
  try {
    await access(executable, constants.X_OK);
  } catch (cause) {
    throw new OperatorError('SERVICE_FAILED', `Cannot run "${executable}"`, {
      hint: 'Restore the program and make it executable.',
      cause,
    });
  }
}

/**
 * What loads code, reveals keys, or holds a secret of keadm. Everything else passes: an operator sets it in the unit for
 * the program, for instance credentials of a cloud provider, and the service manager passes its variables.
 */
const WITHHELD = /^(?:NODE_|LD_|OPENSSL_|KEADM_|SSLKEYLOGFILE$)/;

function become({ executable, args }: ProgramCommand): never {
  if (process.execve === undefined) throw new Error('This Node.js cannot turn into another program');
  process.umask(USUAL_UMASK);
  // It would only say, in the log of a program that is not ours, that execve is a young feature of Node.js.
  process.removeAllListeners('warning');
  return process.execve(executable, [executable, ...args], unitEnvironment());
}

function unitEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.test(name)));
}
