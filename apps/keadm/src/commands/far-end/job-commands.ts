import { farEndLine, followJob, holdJob, jobFolder, jobState, startJob, stopJob } from '@fenestra/fleet/far-end';
import { Command } from 'commander';
import type { KeadmEnvironment } from '../../platform.ts';
import { runChild } from './child.ts';
import { parseJob } from './job-input.ts';
import { farEndPorts } from './ports.ts';

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
