/** Runs pieces of work one after the other, in the order they were given. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own. A piece that fails fails for its giver alone. */
export function inTurn(): InTurn {
  let tail: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    return turn;
  };
}
