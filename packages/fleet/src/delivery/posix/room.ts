import { throwIfAborted, type RemoteHost, type RemoteProcess } from '@fenestra/platform';
import { LAST_WORDS_MS, listenUntilQuiet, readLines, type CommandEnd } from '../remote-command.ts';
import { ROOM_LINE } from './bootstrap.ts';
import { type Patience, RunningScript } from './running-script.ts';

/** A script that has no input of its own. It says `BEGIN_MARK` first. */
export interface RoomScript {
  readonly script: string;
  readonly activity: string;
  readonly onLine: (line: string) => void;
}

/** Ends what a script said; the number is that of the script, so that nothing is taken for the end of another one. */
const OVER_MARK = 'fenestra-over';

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
  /** Nothing more is read there. */
  #isClosing = false;
  #running: RunningScript | undefined;

  /** `rights` is what stands before a command line to run it with somebody else's rights. */
  constructor(host: RemoteHost, rights: string, patience = PATIENCE) {
    this.#patience = patience;
    this.#process = host.start(`${rights}${ROOM_LINE}`, this.#over.signal);
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

  /** Runs a script to its end. One that nobody waits for any more ends the room. */
  async run({ script, activity, onLine }: RoomScript, signal: AbortSignal): Promise<CommandEnd> {
    throwIfAborted(activity, signal);
    this.#scripts += 1;
    const mark = `${OVER_MARK}-${this.#scripts}`;
    const opening = this.#scripts === 1 ? OPENING : '';
    const onSilence = (): void => void this.#endInput();
    this.#running = new RunningScript(mark, { onLine, onSilence, patience: this.#patience });
    const running = this.#running;
    const stop = (): void => this.#stop(running);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { input } = await this.#process;
      input.write(`${opening}${framed(script, mark)}`);
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
    const limit = setTimeout(() => this.#over.abort(), LAST_WORDS_MS);
    await this.#endInput();
    await this.#left;
    clearTimeout(limit);
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
      this.#over.abort();
    }
  }

  /** The channel's end may have been heard of already, so the script is told by itself. */
  #stop(running: RunningScript): void {
    this.#over.abort();
    running.failWith(new Error('nobody waits for the script any more'));
  }

  #fail(error: unknown): void {
    this.#running?.failWith(error);
    this.#over.abort();
  }
}

/** Nothing is run before the last line has come, and whatever the script does to its shell ends with it. */
function framed(script: string, mark: string): string {
  return `(\n${script}\n) </dev/null 2>&3 3>&-\nended=$?; echo "${mark} $ended"; echo "${mark} $ended" >&3\n`;
}
