import { chdir, stdin } from 'node:process';
import {
  farEndLine,
  followJob,
  holdJob,
  jobFolder,
  jobState,
  startJob,
  stopJob,
  byteSource,
  commandWords,
  redact,
  FarEndJob,
  type FarEndPorts,
} from '@fenestra/fleet/far-end';
import { Command } from 'commander';
import { OperatorError, parseJson } from '@fenestra/kernel';
import { commandEffect } from '../../cli/command-effect.ts';
import type { KeadmEnvironment, Terminal } from '../../platform.ts';

interface FromFlag {
  readonly from: number;
}

/** The commands about a job of a run: FOLDER is where the job keeps what it knows. Each gives the exit code. */
export function jobCommands(environment: KeadmEnvironment, end: (exitCode: number) => void): readonly Command[] {
  const { signal, readInput } = environment;
  return [
    following('run').action(async (path: string, { from }: FromFlag) => {
      const ports = await farEndPorts(environment);
      const folder = jobFolder(path);
      const job = parseJob(await readInput());
      const { found } = await startJob(folder, job, ports, signal);
      ports.emit(`${farEndLine({ type: 'attached', id: job.id, found })}\n`);
      await followJob(folder, from, ports, signal);
      end(0);
    }),
    following('attach').action(async (path: string, { from }: FromFlag) => {
      await followJob(jobFolder(path), from, await farEndPorts(environment), signal);
      end(0);
    }),
    new Command('hold').argument('<folder>').action(async (path: string) => {
      const job = parseJob(await readInput());
      await holdJob(jobFolder(path), job, await farEndPorts(environment), signal);
      end(0);
    }),
    new Command('child').action(async () => end(await runChild(environment))),
    new Command('preview').action(async () => {
      const job = parseJob(await readInput());
      chdir(job.folder);
      end(await runJob({ ...job, argv: [...job.argv, '--dry-run'] }, environment));
    }),
    new Command('state').argument('<folder>').action(async (path: string) => {
      const ports = await farEndPorts(environment);
      ports.emit(`${(await jobState(jobFolder(path), ports)).kind}\n`);
      end(0);
    }),
    new Command('stop').argument('<folder>').action(async (path: string) => {
      await stopJob(jobFolder(path), await farEndPorts(environment), signal);
      end(0);
    }),
  ];
}

function following(name: string): Command {
  return new Command(name).argument('<folder>').option('--from <bytes>', 'continue the output from here', Number, 0);
}

/**
 * Runs the keadm command of a job in this very process, so that no process list ever shows its words. The input stays open
 * for as long as the command shall go on: anyone who closes it, or dies, has it stop and undo what it did.
 */
async function runChild(environment: KeadmEnvironment): Promise<number> {
  const source = byteSource(stdin);
  const job = parseJob(await source.line());
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  void source.line().then(stop, stop);
  const signal = AbortSignal.any([environment.signal, stopped.signal]);
  const exitCode = await runJob(job, { ...environment, signal });
  stdin.destroy();
  return exitCode;
}

/** Runs the keadm command of a job without anyone to ask, and without its secrets in what is written. */
async function runJob({ argv: words, secrets }: FarEndJob, environment: KeadmEnvironment): Promise<number> {
  const { runKeadm } = await import('../../cli/run-keadm.ts');
  const { unattended } = await commandEffect(words, environment);
  const { argv, variables } = commandWords(words, unattended);
  return runKeadm(argv, {
    ...environment,
    variables: { ...environment.variables, ...variables },
    readInput: async () => '',
    readInputBytes: async () => new Uint8Array(),
    terminal: discreet(environment.terminal, secrets),
  });
}

/** No one to ask, and no secret in what is written. */
function discreet({ out, err }: Terminal, secrets: readonly string[]): Terminal {
  return { out: (text) => out(redact(text, secrets)), err: (text) => err(redact(text, secrets)) };
}

/** Reads a job, which only another keadm writes. */
function parseJob(text: string): FarEndJob {
  const job = FarEndJob.safeParse(parseJson(text));
  if (job.success) return job.data;
  throw new OperatorError('USAGE', 'Cannot read the job on standard input', {
    hint: 'Do not run "keadm far-end" yourself: "keadm batch" runs it on the nodes.',
  });
}

/** This machine, as the far end of a batch needs it. */
export async function farEndPorts(environment: KeadmEnvironment): Promise<FarEndPorts> {
  const { terminal, now, ownCommand } = environment;
  const { host, files, access } = await environment.loadPlatform(undefined);
  return {
    host,
    os: (await host.facts()).os,
    files,
    access,
    now,
    ownCommand,
    emit: terminal.out,
    unheard: () => terminal.outClosed === true,
  };
}
