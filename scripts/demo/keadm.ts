import { spawnSync } from 'node:child_process';

/** Runs keadm with its output shown, and returns what it said. A failure ends the demo. */
export type Keadm = (...args: readonly string[]) => string;

/** Our executable as the demo uses it. `quietly` shows nothing; `piped` gives it a secret by standard input. */
export function keadmAt(executable: string): { keadm: Keadm; quietly: Keadm; piped: (secret: string) => Keadm } {
  const run = (args: readonly string[], input = ''): string => {
    const { status, stdout } = spawnSync(executable, args, {
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`"keadm ${args.join(' ')}" ended with ${status}:\n${stdout}`);
    return stdout;
  };
  const show = (args: readonly string[], input?: string): string => {
    console.log(`\n$ keadm ${args.join(' ')}`);
    const output = run(args, input);
    process.stdout.write(output);
    return output;
  };
  return {
    quietly: (...args) => run(args),
    keadm: (...args) => show(args),
    piped:
      (secret) =>
      (...args) =>
        show(args, secret),
  };
}
