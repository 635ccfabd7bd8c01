import { pause } from '@fenestra/platform';
import { hasCode, lost } from './failures.ts';
import type { FarSystem, Task } from './far-system.ts';
import { followOnce, type Followed, type LastWord } from './follow.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Runs work over a connection to the node, which is there or is made. */
export type OverConnection = <T>(work: (task: Task) => Promise<T>) => Promise<T>;

/** What following a job needs. */
export interface Following {
  readonly system: FarSystem;
  readonly node: string;
  readonly followed: Followed;
  readonly overConnection: OverConnection;
  readonly say: (text: string) => void;
}

/** How a job ended. */
export type JobEnd = Extract<LastWord, { type: 'ended' }>;

/**
 * Follows a job over as many connections as it takes: a connection that is lost leaves the command running, so it is asked
 * after again until the signal fires. Rejects with REMOTE_LOST if nobody there knows how it ended.
 */
export async function followToEnd(following: Following, signal: AbortSignal): Promise<JobEnd> {
  let wait = FIRST_PAUSE_MS;
  for (;;) {
    const { offset } = following.followed;
    const word = await tryToFollow(following);
    if (word?.type === 'ended') return word;
    if (word !== undefined) throw noEnd(following, word);
    wait = following.followed.offset > offset ? FIRST_PAUSE_MS : Math.min(2 * wait, LONGEST_PAUSE_MS);
    following.say('connection lost; asking after the command again');
    await pause(wait, 'waiting for the machine to answer again', signal);
  }
}

/** `undefined` if the connection was lost after the command had begun; without a command whoever called may try again. */
async function tryToFollow({ system, followed, overConnection }: Following): Promise<LastWord | undefined> {
  try {
    return await overConnection(async (task) => followOnce(system, task, followed));
  } catch (error) {
    if (followed.begun && hasCode(error, 'REMOTE_LOST', 'REMOTE_UNREACHABLE', 'REMOTE_TIMEOUT')) return undefined;
    throw error;
  }
}

/** keadm's own journal brings what it was doing to an end, so the next try may simply begin again. */
function noEnd({ node }: Following, word: Exclude<LastWord, JobEnd>): Error {
  if (word.type === 'absent') return lost(node, 'nothing is left there of the command that was begun');
  return lost(node, `${word.rebooted ? 'it was started again' : 'the command was killed'} in the middle of the work`);
}
