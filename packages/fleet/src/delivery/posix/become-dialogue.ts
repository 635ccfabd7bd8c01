import { PASSWORD_MARK, READY_MARK } from './bootstrap.ts';

/** So long sudo may take, over a directory service that is slow, to ask or to let in. */
const PATIENCE_MS = 60_000;

/** What sudo says, and what it is told: the password once, when it asks, and nothing else until it has let in. */
export interface BecomeDialogue {
  /** Hears a line of output. */
  hearLine(line: string): void;
  /** Hears a piece of what is said to people. */
  hearErrors(piece: string): void;
  /** There is nobody to talk to any more. */
  end(): void;
  /**
   * The input: the password if it is asked for, then what comes after it. It ends early if sudo asks again, for all that
   * it reads would be one more try, and so many of them lock an account.
   */
  input(password: string, after: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array | string>;
}

/** A dialogue that begins with sudo. */
export function openDialogue(patienceMs = PATIENCE_MS): BecomeDialogue {
  const asked = Promise.withResolvers<boolean>();
  const letIn = Promise.withResolvers<boolean>();
  let said = '';
  let settled = false;
  const settle = (isIn: boolean): void => {
    settled = true;
    clearTimeout(timer);
    asked.resolve(false);
    letIn.resolve(isIn);
  };
  const timer = setTimeout(() => settle(false), patienceMs);
  return {
    hearLine(line) {
      // What a profile has printed may lack the end of its line.
      if (line.endsWith(READY_MARK)) settle(true);
    },
    hearErrors(piece) {
      if (settled) return;
      said += piece;
      const questions = said.split(PASSWORD_MARK).length - 1;
      if (questions > 0) asked.resolve(true);
      if (questions > 1) settle(false);
    },
    end: () => settle(false),
    async *input(password, after) {
      if (await asked.promise) yield `${password}\n`;
      if (await letIn.promise) yield* after;
    },
  };
}

/** What sudo has said without its questions. */
export function withoutQuestions(errors: string): string {
  return errors.replaceAll(PASSWORD_MARK, '').trim();
}
