import { MOST_ERRORS, type CommandEnd } from '../remote-command.ts';
import { BEGIN_MARK } from './bootstrap.ts';

/** How long what should be heard is waited for. */
export interface Patience {
  /** A shell begins at once; an account that has none may wait for the end of its input instead. */
  readonly beginMs: number;
  /** What is said on both outputs in one go comes in one go, unless one of them leads elsewhere. */
  readonly otherMarkMs: number;
}

/** Who hears what. */
export interface ScriptListener {
  readonly onLine: (line: string) => void;
  /** Told that something that should have been heard was not: there may be no shell, or something between it and us. */
  readonly onSilence: () => void;
  readonly patience: Patience;
}

/** A script of a room, from its beginning to its end, which is said on both outputs, with the exit code. */
export class RunningScript {
  readonly ended: Promise<CommandEnd>;
  readonly #mark: string;
  readonly #listener: ScriptListener;
  readonly #settle: PromiseWithResolvers<CommandEnd>;
  #exitCode: number | undefined;
  #marks = 0;
  #errors = '';
  #silence: NodeJS.Timeout | undefined;

  constructor(mark: string, listener: ScriptListener) {
    this.#mark = `${mark} `;
    this.#listener = listener;
    this.#settle = Promise.withResolvers();
    this.ended = this.#settle.promise;
    // The room may have failed before anybody waits for the script.
    this.ended.catch(() => undefined);
  }

  /** The script is on its way. */
  beginWaiting(): void {
    const { onSilence, patience } = this.#listener;
    this.#silence = setTimeout(onSilence, patience.beginMs);
  }

  hearLine(line: string): void {
    if (line.endsWith(BEGIN_MARK)) clearTimeout(this.#silence);
    const own = this.#withoutMark(line);
    if (own !== undefined) this.#listener.onLine(own);
    this.#endIfHeard();
  }

  hearError(line: string): void {
    const own = this.#withoutMark(line);
    if (own !== undefined) this.#errors = `${this.#errors}${own}\n`.slice(-MOST_ERRORS);
    this.#endIfHeard();
  }

  /** The shell itself has ended; what the script ended with is known if it has said so. */
  leftWith(exitCode: number): void {
    this.#settle.resolve({ exitCode: this.#exitCode ?? exitCode, output: '', errors: this.#errors.trim() });
  }

  failWith(error: unknown): void {
    this.#settle.reject(error);
  }

  /** Nobody waits any more. */
  forget(): void {
    clearTimeout(this.#silence);
  }

  /** What a script said last may lack the end of its line. `undefined` if there is nothing but the mark. */
  #withoutMark(line: string): string | undefined {
    const at = line.lastIndexOf(this.#mark);
    if (at === -1) return line;
    this.#marks += 1;
    this.#exitCode = Number(line.slice(at + this.#mark.length));
    return at === 0 ? undefined : line.slice(0, at);
  }

  #endIfHeard(): void {
    if (this.#exitCode === undefined) return;
    clearTimeout(this.#silence);
    const { onSilence, patience } = this.#listener;
    if (this.#marks > 1) this.leftWith(this.#exitCode);
    else this.#silence = setTimeout(onSilence, patience.otherMarkMs);
  }
}
