/** Tells anyone who watches the run what a bed is busy with. It goes to stderr, so results on stdout stay clean. */
function say(line: string): void {
  process.stderr.write(`[bed] ${line}\n`);
}

/** Runs a slow piece of work and says how long it took. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  say(`${what} …`);
  const result = await work();
  say(`${what}: done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}
