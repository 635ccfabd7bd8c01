import { dirname } from 'node:path';
import { stdin } from 'node:process';
import { Command } from 'commander';
import { fileDigest, gatherFacts, jobFolders, settleProgram, stopJob, unpackParcel } from '@fenestra/fleet/far-end';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { CommandContext } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { jobCommands, farEndPorts } from './far-end/job-commands.ts';

/** `keadm far-end …`: what `keadm batch` has done on a node by the executable that it has sent there. */
export function farEndCommand({ environment, deliver }: CommandContext): Command {
  const group = new Command('far-end').description('Used by "keadm batch" on nodes; not for manual use');
  const end = (exitCode: number): void => deliver({ data: {}, text: '', exitCode });
  for (const command of [...jobCommands(environment, end), ...payloadCommands(environment, deliver)]) {
    group.addCommand(command);
  }
  return group;
}

interface SettleFlags {
  readonly sha256: string;
  readonly to: string;
  readonly private: string;
}

/** The commands about what is sent to this machine, and about what it is. */
export function payloadCommands(
  environment: KeadmEnvironment,
  deliver: (result: CommandResult) => void,
): readonly Command[] {
  const { signal, executable } = environment;
  return [
    new Command('digest').argument('<file>').action(async (path: string) => {
      const sha256 = await fileDigest(path);
      deliver(success({ sha256 }, sha256));
    }),
    new Command('settle')
      .requiredOption('--sha256 <digest>')
      .requiredOption('--to <file>')
      .requiredOption('--private <folder>')
      .action(async (flags: SettleFlags) => {
        const ports = await farEndPorts(environment);
        await ports.access.makePrivate(flags.private);
        await settleProgram(executable, flags, ports);
        deliver(success({}, ''));
      }),
    new Command('unpack').argument('<folder>').action(async (folder: string) => {
      await unpackParcel(folder, stdin, await farEndPorts(environment), signal);
      deliver(success({}, ''));
    }),
    new Command('facts').action(async () => {
      const platform = await environment.loadPlatform(undefined);
      deliver(success(await gatherFacts({ ...platform, agentService: AGENT_SERVICE }), ''));
    }),
    new Command('clear').argument('<folder>').action(async (runFolder: string) => {
      const ports = await farEndPorts(environment);
      for (const job of await jobFolders(runFolder)) await stopJob(job, ports, signal);
      await ports.files.removeTree(runFolder, dirname(runFolder), signal);
      deliver(success({}, ''));
    }),
  ];
}
