import { throwIfAborted, type RemoteHost, type RemoteProcess } from '@fenestra/platform';
import { LAST_WORDS_MS, listenUntilQuiet, readLines, type CommandEnd } from '../remote-command.ts';
import { writeAll } from '../write-through.ts';
import { counted, READ_NEXT, roomLine } from './bootstrap.ts';
import { type Patience, RunningScript } from './running-script.ts';

/** A script for a room. It says `BEGIN_MARK` first. */
export interface RoomScript {
  readonly script: string;
  readonly activity: string;
  /** What a script that fails has not read is lost, and the room with it; one that ends well has read all of it. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  /** Whether the next one may have input. */
  readonly isBeforeInput?: boolean;
  /** Whether what it leaves in the shell is what every script sets for itself, and names that none relies on. */
  readonly isTame?: boolean;
  readonly onLine: (line: string) => void;
}

/** Ends what a script said; the number is that of the script, so that nothing is taken for the end of another one. */
const OVER_MARK = 'fenestra-over';

const NOBODY_THERE = 'the shell has ended';

const PATIENCE: Patience = { beginMs: 10_000, otherMarkMs: 500 };

/** The shell's own words are for nobody: of a script that is killed, bash prints all that there is, secrets included. */
const OPENING = 'exec 3>&2 2>/dev/null\n';

/**
 * A shell on a machine that runs one script after the other: to begin another shell costs both ends more than most
 * scripts do, and two ways there and back.
 */
export class Room {
  readonly #over = new AbortController();
  readonly #process: Promise<RemoteProcess>;
  readonly #left: Promise<void>;
  readonly #patience: Patience;
  #scripts = 0;
  /** The next script is read by its length, and what follows it is left for it. */
  #leavesInput = false;
  /** Nothing more is read there. */
  #isClosing = false;
  #running: RunningScript | undefined;

  /** `rights` is what stands before a command line to run it with somebody else's rights. */
  constructor(host: RemoteHost, rights: string, patience = PATIENCE) {
    this.#patience = patience;
    this.#process = host.start(roomLine(rights), this.#over.signal);
    this.#left = this.#listen();
  }

  get state(): 'free' | 'busy' | 'over' {
    if (this.#isClosing || this.#over.signal.aborted) return 'over';
    return this.#running === undefined ? 'free' : 'busy';
  }

  /** Whether a script was run here before. */
  get isUsed(): boolean {
    return this.#scripts > 0;
  }

  /** Whether a script with input can be run here now. */
  get takesInput(): boolean {
    return this.state === 'free' && this.#leavesInput;
  }

  /** Runs a script to its end. One that nobody waits for any more ends the room. */
  async run(order: RoomScript, signal: AbortSignal): Promise<CommandEnd> {
    const { activity, input: own, onLine } = order;
    throwIfAborted(activity, signal);
    this.#scripts += 1;
    const mark = `${OVER_MARK}-${this.#scripts}`;
    const text = this.#textOf(order, mark);
    const onSilence = (): void => void this.#endInput();
    this.#running = new RunningScript(mark, { onLine, onSilence, patience: this.#patience });
    const running = this.#running;
    const stop = (): void => this.#stop(running);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { input } = await this.#process;
      input.write(text);
      if (own !== undefined) return await this.#feed(running, input, own);
      running.beginWaiting();
      return await running.ended;
    } catch (error) {
      throwIfAborted(activity, signal);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      running.forget();
      this.#running = undefined;
    }
  }

  /** Lets the shell come to its end, or ends it if that takes long. */
  async leave(): Promise<void> {
    const limit = setTimeout(() => this.#end(), LAST_WORDS_MS);
    await this.#endInput();
    await this.#left;
    clearTimeout(limit);
  }

  #textOf(order: RoomScript, mark: string): string {
    const isCounted = this.#leavesInput;
    this.#leavesInput = order.isBeforeInput === true || order.input !== undefined;
    const text = framed(order, mark);
    if (isCounted) return counted(text);
    return this.#scripts === 1 ? `${OPENING}${text}` : text;
  }

  /** A script that fails need not have read all of its input: the rest is nobody's, and least of all the next script. */
  async #feed(
    running: RunningScript,
    input: RemoteProcess['input'],
    own: AsyncIterable<Uint8Array | string>,
  ): Promise<CommandEnd> {
    let isWell = false;
    try {
      const end = await Promise.race([running.ended, writeAll(input, own).then(async () => running.ended)]);
      isWell = end.exitCode === 0;
      return end;
    } finally {
      if (!isWell) this.#end();
    }
  }

  /** A shell runs what it was given to its end and ends; whatever else reads there sees that nothing more comes. */
  async #endInput(): Promise<void> {
    this.#isClosing = true;
    const process = await this.#process.catch(() => undefined);
    process?.input.end();
  }

  async #listen(): Promise<void> {
    try {
      const { output, errors, ended } = await this.#process;
      const texts = Promise.all([
        readLines(output, (line) => this.#running?.hearLine(line)),
        readLines(errors, (line) => this.#running?.hearError(line)),
      ]);
      texts.catch((error: unknown) => this.#fail(error));
      const { exitCode } = await ended;
      this.#isClosing = true;
      if (this.#running === undefined) return;
      await texts.finally(listenUntilQuiet([output, errors]));
      this.#running?.leftWith(exitCode);
    } catch (error) {
      this.#running?.failWith(error);
    } finally {
      this.#end();
    }
  }

  /** A reason of our own, because the usual one would be made anew, with all who have called, each time. */
  #end(): void {
    if (!this.#over.signal.aborted) this.#over.abort(NOBODY_THERE);
  }

  /** The channel's end may have been heard of already, so the script is told by itself. */
  #stop(running: RunningScript): void {
    this.#end();
    running.failWith(new Error('nobody waits for the script any more'));
  }

  #fail(error: unknown): void {
    this.#running?.failWith(error);
    this.#end();
  }
}

/**
 * Nothing is run before the last line has come, and whatever the script does to its shell ends with it. A shell reads
 * ahead, but nothing is sent before the marks are heard, and what reads the next script stands in one line with them.
 */
function framed({ script, input, isBeforeInput, isTame }: RoomScript, mark: string): string {
  const over = `ended=$?; echo "${mark} $ended"; echo "${mark} $ended" >&3`;
  if (input !== undefined) return `(\n${script}\n) 2>&3 3>&-\n${over}; [ $ended = 0 ] || exit; ${READ_NEXT}\n`;
  const next = isBeforeInput === true ? `; ${READ_NEXT}` : '';
  const [begin, end] = isTame === true ? ['{', '}'] : ['(', ')'];
  return `${begin}\n${script}\n${end} </dev/null 2>&3 3>&-\n${over}${next}\n`;
}
