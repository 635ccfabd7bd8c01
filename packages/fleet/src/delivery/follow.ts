import { pause } from '@fenestra/platform';
import { type FarEndEvent, type FarEndJob, parseFarEndLine } from '../far-end/messages.ts';
import { redact } from '../far-end/redact.ts';
import { hasCode, lost, notDelivered } from './failures.ts';
import type { FarSystem, Task } from './far-system.ts';
import { type CommandEnd, wasKilled } from './remote-command.ts';

/** What a shell says of a program that is not there, or cannot be started. */
const UNSTARTABLE: readonly number[] = [126, 127, 9009];

/** A job on a machine, and how far it was followed. */
export interface Followed {
  readonly job: FarEndJob;
  readonly program: string;
  readonly jobFolder: string;
  /** Whether the far end is known to have it. */
  begun: boolean;
  /** Up to where its progress was reported. */
  offset: number;
}

type LastWord = Extract<FarEndEvent, { type: 'ended' | 'gone' | 'absent' }>;

/** Starts the job, or finds it, and reports its progress. Rejects with REMOTE_LOST if the connection ends first. */
async function followOnce(system: FarSystem, task: Task, followed: Followed): Promise<LastWord> {
  let last: FarEndEvent | undefined;
  const onLine = (line: string): void => {
    const event = parseFarEndLine(line);
    if (event === undefined) return;
    last = event;
    hear(event, task, followed);
  };
  const end = await system.call(task, followed.program, { ...callOf(followed), onLine });
  if (last?.type === 'ended' || last?.type === 'gone' || last?.type === 'absent') return last;
  throw cutOff(task.node.name, end, followed);
}

function callOf({ begun, job, jobFolder, offset }: Followed) {
  const words = ['far-end', begun ? 'attach' : 'run', jobFolder, '--from', String(offset)];
  return { words, activity: 'running the command', ...(begun ? {} : { input: JSON.stringify(job) }) };
}

function hear(event: FarEndEvent, { context }: Task, followed: Followed): void {
  if (event.type === 'attached') followed.begun = true;
  if (event.type !== 'line') return;
  followed.offset = event.next;
  const text = redact(event.text, followed.job.secrets);
  context.log(text);
  context.say(text.trim());
}

function cutOff(node: string, end: CommandEnd, { begun, job }: Followed): Error {
  const { exitCode, errors } = end;
  const said = redact(errors, job.secrets).split('\n').slice(-3).join('; ');
  if (!begun && UNSTARTABLE.includes(exitCode)) return notDelivered(node, `the program does not start there: ${said}`);
  const why = said === '' ? `it ended with ${exitCode}` : said;
  return begun || wasKilled(end)
    ? lost(node, `what follows the command ended: ${why}`)
    : notDelivered(node, `the command was not begun: ${why}`);
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

type OverConnection = <T>(work: (task: Task) => Promise<T>) => Promise<T>;

interface Following {
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
 * after again until the signal fires. Rejects with REMOTE_LOST if no one there knows how it ended.
 */
export async function followToEnd(following: Following, signal: AbortSignal): Promise<JobEnd> {
  let wait = FIRST_PAUSE_MS;
  for (;;) {
    const { offset } = following.followed;
    const word = await tryToFollow(following);
    if (word?.type === 'ended') return word;
    if (word !== undefined) throw noEnd(following, word);
    wait = following.followed.offset > offset ? FIRST_PAUSE_MS : Math.min(2 * wait, LONGEST_PAUSE_MS);
    following.say('connection lost; reconnecting to the command');
    await pause(wait, 'waiting for the machine to become reachable', signal);
  }
}

/** `undefined` if the connection was lost after the command had begun; without a command the caller may try again. */
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
  if (word.type === 'absent') return lost(node, 'the command that was started no longer exists there');
  return lost(node, `${word.rebooted ? 'it was started again' : 'the command was killed'} during the operation`);
}
