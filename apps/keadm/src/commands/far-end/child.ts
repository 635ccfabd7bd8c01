import { stdin } from 'node:process';
import { byteSource, commandWords, redact } from '@fenestra/fleet/far-end';
import type { KeadmEnvironment, Terminal } from '../../platform.ts';
import { parseJob } from './job-input.ts';

/**
 * Runs the keadm command of a job in this very process, so that no process list ever shows its words. The input stays open
 * for as long as the command shall go on: whoever closes it, or dies, has it stop and undo what it did.
 */
export async function runChild(environment: KeadmEnvironment): Promise<number> {
  const { runKeadm } = await import('../../cli/run-keadm.ts');
  const source = byteSource(stdin);
  const job = parseJob(await source.line());
  const { argv, variables } = commandWords(job.argv);
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  void source.line().then(stop, stop);
  const exitCode = await runKeadm(argv, {
    ...environment,
    variables: { ...environment.variables, ...variables },
    readInput: async () => '',
    readInputBytes: async () => new Uint8Array(),
    signal: AbortSignal.any([environment.signal, stopped.signal]),
    terminal: discreet(environment.terminal, job.secrets),
  });
  stdin.destroy();
  return exitCode;
}

/** Nobody to ask, and no secret in what is written. */
function discreet({ out, err }: Terminal, secrets: readonly string[]): Terminal {
  return { out: (text) => out(redact(text, secrets)), err: (text) => err(redact(text, secrets)) };
}
