import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FarEndEvent, farEndLine } from './messages.ts';
import { systemCodeOf } from '@fenestra/kernel';
import { type FarEndPorts, type JobFolder, jobState, type JobState } from './job-folder.ts';

const POLL_MS = 100;
const BLOCK_BYTES = 256 * 1024;
const MOST_RESULT_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Tells a job's progress from an offset on, until the job has ended or no one listens any more. */
export async function followJob(
  folder: JobFolder,
  from: number,
  ports: FarEndPorts,
  signal: AbortSignal,
): Promise<void> {
  let offset = from;
  while (!signal.aborted && !ports.unheard()) {
    // Looked at before the output, which is whole once the job has ended.
    const state = await jobState(folder, ports);
    const over = isOver(state);
    offset = await tellLines(folder, offset, over, ports);
    if (over) return say(ports, await lastEvent(state, folder));
    await sleep(POLL_MS);
  }
}

function isOver({ kind }: JobState): boolean {
  return kind !== 'starting' && kind !== 'running';
}

/** Reports all whole lines, and at the end what is left without a line's end. Returns where to go on. */
async function tellLines({ progressFile }: JobFolder, from: number, all: boolean, ports: FarEndPorts): Promise<number> {
  let offset = from;
  for (;;) {
    const bytes = await readFrom(progressFile, offset);
    const end = wholeLines(bytes, all);
    if (end === 0) return offset;
    for (const line of linesOf(bytes.subarray(0, end))) {
      offset += line.length;
      say(ports, { type: 'line', text: line.toString('utf8').trimEnd(), next: offset });
    }
  }
}

/** How many of the bytes make whole lines. A line that fills the whole block is reported in pieces. */
function wholeLines(bytes: Buffer, all: boolean): number {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return end === 0 && (all || bytes.length === BLOCK_BYTES) ? bytes.length : end;
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let begin = 0; begin < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, begin);
    const end = newline === -1 ? bytes.length : newline + 1;
    yield bytes.subarray(begin, end);
    begin = end;
  }
}

async function readFrom(path: string, offset: number): Promise<Buffer> {
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK_BYTES), 0, BLOCK_BYTES, offset);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

async function lastEvent(state: JobState, { resultFile }: JobFolder): Promise<FarEndEvent> {
  if (state.kind === 'ended') return { type: 'ended', exit: state.exit, result: await readResult(resultFile) };
  return state.kind === 'gone' ? { type: 'gone', rebooted: state.rebooted } : { type: 'absent' };
}

async function readResult(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return bytes.subarray(0, MOST_RESULT_BYTES).toString('utf8');
}

function say({ emit }: FarEndPorts, event: FarEndEvent): void {
  emit(`${farEndLine(event)}\n`);
}
