import { spawnSync } from 'node:child_process';

/** Runs keadm with its output shown, and returns what it said. A failure ends the demo. */
export type Keadm = (...args: readonly string[]) => string;

/** Our executable as the demo uses it. `secret` output is not shown. */
export function keadmAt(executable: string): { keadm: Keadm; quietly: Keadm } {
  const run = (args: readonly string[]): string => {
    const { status, stdout } = spawnSync(executable, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    if (status !== 0) throw new Error(`"keadm ${args.join(' ')}" ended with ${status}`);
    return stdout;
  };
  return {
    quietly: (...args) => run(args),
    keadm(...args) {
      console.log(`\n$ keadm ${args.join(' ')}`);
      const output = run(args);
      process.stdout.write(output);
      return output;
    },
  };
}
