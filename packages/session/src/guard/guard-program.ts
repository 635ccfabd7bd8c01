import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeLockOwner, OperatorError } from '@fenestra/kernel';
import type { Logger, ServiceProgram, ServiceSpec } from '@fenestra/platform';
import { recoverOnly } from '../change-node.ts';
import type { NodeSession } from '../node-session.ts';
import { nodeJournals } from '../node-journals.ts';

const WATCH_MS = 500;
/** A recovery that failed, for instance because the disk is full, is tried again for as long as it takes, ever more seldom. */
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 10 * 60_000;

/**
 * The guard: waits for the command that changes the node to end, and if that command died on the way, brings its work
 * to an end. After a boot no one is running that could, so it begins at once. Then it removes itself.
 */
export function guardProgram(session: NodeSession, log: Logger): ServiceProgram {
  const ended = new AbortController();
  const stopping = new AbortController();
  let watching: Promise<void> = Promise.resolve();
  return {
    ended: ended.signal,
    async start() {
      watching = watch(session, log, stopping.signal).then(() => ended.abort());
    },
    reload: async () => {},
    async stop() {
      stopping.abort();
      await watching.catch(() => undefined);
    },
  };
}

async function watch(session: NodeSession, log: Logger, signal: AbortSignal): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const state = await lookAfter(session, log);
    if (state === 'all is done') return leave(session);
    await pauseFor(state === 'another command is running' ? WATCH_MS : retryMs, signal);
    retryMs = state === 'failed' ? Math.min(retryMs * 2, LAST_RETRY_MS) : FIRST_RETRY_MS;
  }
}

/** A program that runs can delete itself on Linux; on Windows the next command that needs a guard replaces it. */
async function leave({ layout, ports }: NodeSession): Promise<void> {
  await ports.services.forget(GUARD_SERVICE);
  const { guardExecutable } = layout;
  const signal = new AbortController().signal;
  await ports.files.removeTree(guardExecutable, dirname(guardExecutable), signal).catch(() => undefined);
}

async function lookAfter(
  session: NodeSession,
  log: Logger,
): Promise<'another command is running' | 'all is done' | 'failed'> {
  try {
    if (await isOwned(session)) return 'another command is running';
    if ((await nodeJournals(session).unfinished()).length === 0) return 'all is done';
    for (const { command, outcome } of await recoverOnly(session)) {
      log.warn('Finished or undid an interrupted operation', { command, outcome });
    }
    return 'all is done';
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.code === 'NODE_LOCKED') return 'another command is running';
    log.error('Cannot finish or undo an interrupted operation', { code: error.code, message: error.message });
    return 'failed';
  }
}

async function isOwned({ host, layout }: NodeSession): Promise<boolean> {
  const owner = await nodeLockOwner(layout.lockFolder);
  return owner !== undefined && host.isAlive(owner);
}

async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** The name the guard has in every service manager. */
export const GUARD_SERVICE = 'fenestra-guard';

/** A guard is needed at once or not at all, so its service manager brings it back without much waiting. */
const RECOVERY = { restartDelaysSeconds: [5, 30, 60], resetAfterSeconds: 60 * 60 };

/** The guard as a service: it starts with the machine, so that a power cut does not outlast it. */
export function guardService(executable: string, root: string | null): ServiceSpec {
  return {
    name: GUARD_SERVICE,
    displayName: 'Fenestra guard',
    description: 'Recovers this node if a command that changes it is interrupted',
    executable,
    args: ['guard', ...(root === null ? [] : ['--root', root])],
    startType: 'automatic',
    dependencies: [],
    recovery: RECOVERY,
    writableFolders: [],
  };
}
