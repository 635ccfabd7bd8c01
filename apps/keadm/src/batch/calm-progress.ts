/** More often nobody can read it, and a thousand nodes would say it a hundred thousand times. */
const SHORTEST_MS = 250;

/** Tells of progress four times a second at most, but always of the end; where there is nothing to send, of nothing. */
export function calmProgress(tell: (done: number, total: number) => void): (done: number, total: number) => void {
  let [toldAt, toldDone] = [-Infinity, -1];
  return (done, total) => {
    const now = performance.now();
    const isDue = done === total ? done !== toldDone : now - toldAt >= SHORTEST_MS;
    if (total === 0 || !isDue) return;
    [toldAt, toldDone] = [now, done];
    tell(done, total);
  };
}
