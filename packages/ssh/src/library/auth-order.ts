import type { AuthAttempt } from './auth-methods.ts';

/** Chooses what to try next, and remembers what was tried and what the machine would take. */
export interface AuthOrder {
  /**
   * Undefined when nothing is left. `offered` is undefined until the machine has said what it takes; `wasHalfway` says
   * that the last proof was good and that another one is wanted.
   */
  next(offered: readonly string[] | undefined, wasHalfway: boolean): AuthAttempt | undefined;
  tried(): readonly string[];
  /** What the machine did not ask for. */
  untried(): readonly string[];
  offered(): readonly string[];
}

/**
 * Each way once, in the given order. One that the machine does not take now may come back: a machine that wants two
 * proofs asks for the second one only after the first.
 */
export function authOrder(attempts: readonly AuthAttempt[]): AuthOrder {
  const left = [...attempts];
  const tried: string[] = [];
  let lastOffer: readonly string[] = [];
  /** Tried before the machine had said what it takes. */
  let guess: AuthAttempt | undefined;

  function takeBackGuess(offered: readonly string[]): void {
    if (guess === undefined || offered.includes(guess.method)) return;
    left.unshift(guess);
    tried.pop();
    guess = undefined;
  }

  return {
    next(offered, wasHalfway) {
      lastOffer = offered ?? lastOffer;
      if (offered !== undefined && !wasHalfway) takeBackGuess(offered);
      const index = left.findIndex(({ method }) => offered === undefined || offered.includes(method));
      const [attempt] = index === -1 ? [] : left.splice(index, 1);
      if (attempt !== undefined) tried.push(attempt.label);
      guess = offered === undefined ? attempt : undefined;
      return attempt;
    },
    tried: () => tried,
    untried: () => left.map(({ label }) => label),
    offered: () => lastOffer,
  };
}
