import type { Command } from 'commander';
import type { CommandContext } from './program.ts';

type MakeCommand = (context: CommandContext) => Command;

/**
 * Every command in the order of the help, and how to load it: one that is asked for by name does not wait for the others.
 */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  doctor: async () => (await import('../commands/doctor.command.ts')).doctorCommand,
  init: async () => (await import('../commands/init.command.ts')).initCommand,
  gettoken: async () => (await import('../commands/gettoken.command.ts')).gettokenCommand,
  node: async () => (await import('../commands/node.command.ts')).nodeCommand,
  join: async () => (await import('../commands/join.command.ts')).joinCommand,
  backup: async () => (await import('../commands/backup.command.ts')).backupCommand,
  restore: async () => (await import('../commands/restore.command.ts')).restoreCommand,
  reset: async () => (await import('../commands/reset.command.ts')).resetCommand,
  upgrade: async () => (await import('../commands/upgrade.command.ts')).upgradeCommand,
  rollback: async () => (await import('../commands/rollback.command.ts')).rollbackCommand,
  kube: async () => (await import('../commands/kube.command.ts')).kubeCommand,
  image: async () => (await import('../commands/image.command.ts')).imageCommand,
  capi: async () => (await import('../commands/capi.command.ts')).capiCommand,
  batch: async () => (await import('../commands/batch.command.ts')).batchCommand,
  config: async () => (await import('../commands/config.command.ts')).configCommand,
  'config-update': async () => (await import('../commands/config/set.command.ts')).configUpdateCommand,
  status: async () => (await import('../commands/status.command.ts')).statusCommand,
  history: async () => (await import('../commands/history.command.ts')).historyCommand,
  logs: async () => (await import('../commands/logs.command.ts')).logsCommand,
  pod: async () => (await import('../commands/pod.command.ts')).podCommand,
  cloud: async () => (await import('../commands/cloud.command.ts')).cloudCommand,
  service: async () => (await import('../commands/service.command.ts')).serviceCommand,
  recover: async () => (await import('../commands/recover.command.ts')).recoverCommand,
  journal: async () => (await import('../commands/journal.command.ts')).journalCommand,
  completion: async () => (await import('../commands/completion.command.ts')).completionCommand,
  version: async () => (await import('../commands/version.command.ts')).versionCommand,
};

/** The commands that keadm runs on another machine, and that its installers run: found by its name, and in no help. */
const FOR_OUR_OWN_USE: typeof COMMANDS = {
  'far-end': async () => (await import('../commands/far-end.command.ts')).farEndCommand,
  installer: async () => (await import('../commands/installer.command.ts')).installerCommand,
};

/** The completion of a word may be any command's. */
const NEEDS_ALL = 'completion';

/** The commands that this command line can be about. */
export async function loadCommands([name = '']: readonly string[]): Promise<readonly MakeCommand[]> {
  const load = name === NEEDS_ALL ? undefined : findCommand(name);
  return Promise.all((load === undefined ? Object.values(COMMANDS) : [load]).map(async (each) => each()));
}

/** "constructor" and its like are inherited by every object, and are not commands. */
function findCommand(name: string): (() => Promise<MakeCommand>) | undefined {
  return [COMMANDS, FOR_OUR_OWN_USE].find((table) => Object.hasOwn(table, name))?.[name];
}
