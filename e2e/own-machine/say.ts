/** Tells anyone who reads the log of the run. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
