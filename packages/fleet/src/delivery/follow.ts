import { parseFarEndLine, type FarEndEvent } from '../far-end/messages/events.ts';
import { type FarEndJob } from '../far-end/messages/job.ts';
import { redact } from '../far-end/redact.ts';
import type { FarSystem, Task } from './far-system.ts';
import { lost, notDelivered } from './failures.ts';
import { wasKilled, type CommandEnd } from './remote-command.ts';

/** What a shell says of a program that is not there, or cannot be started. */
const UNSTARTABLE: readonly number[] = [126, 127, 9009];

/** A job on a machine, and how far it was followed. */
export interface Followed {
  readonly job: FarEndJob;
  readonly program: string;
  readonly jobFolder: string;
  /** Whether the far end is known to have it. */
  begun: boolean;
  /** Up to where its progress was told. */
  offset: number;
}

/** What is said last about a job. */
export type LastWord = Extract<FarEndEvent, { type: 'ended' | 'gone' | 'absent' }>;

/**
 * Gives a machine the job, or asks after it if it has it already, and tells its progress until there is no more. Rejects
 * with REMOTE_LOST if the connection ends first.
 */
export async function followOnce(system: FarSystem, task: Task, followed: Followed): Promise<LastWord> {
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
