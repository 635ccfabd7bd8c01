import { reportFailure, runKeadm } from '@fenestra/keadm';
import { failpoint } from '@fenestra/kernel/failpoint';
import type { BuildInfo } from '../build-info.ts';
import { interruptions } from '../interruptions.ts';
import { ownCommand } from '../own-command.ts';
import { passingStreams } from '../passing-streams.ts';
import { standardTerminal } from '../terminal.ts';

/** Plays the administrator's tool. */
export async function play(args: readonly string[], build: BuildInfo): Promise<number> {
  const { first, second } = interruptions();
  const terminal = standardTerminal();
  process.on('uncaughtException', (error: unknown) => process.exit(reportFailure(args, error, terminal)));
  return runKeadm(args, {
    ...build,
    executable: process.execPath,
    ownCommand: ownCommand(),
    now: () => new Date(),
    variables: takeSecrets(process.env),
    readInput: async () => process.getBuiltinModule('node:stream/consumers').text(process.stdin),
    readInputBytes: async () => process.getBuiltinModule('node:stream/consumers').buffer(process.stdin),
    streams: passingStreams,
    signal: first,
    secondInterruption: second,
    terminal,
    onEvent: failpoint(process.env),
    // Neither is loaded by commands that only say something.
    loadPlatform: async (root) => (await import('#platform')).openPlatform(root),
    loadCloud: async () => import('../cloud-tools.ts'),
  });
}

/** What may stand in the environment and is no one's business but keadm's. */
const SECRET_VARIABLES = ['KEADM_TOKEN', 'KEADM_PASSPHRASE'] as const;

/** The variables as they are now; those that hold secrets are removed, since every program that keadm starts inherits them. */
function takeSecrets(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const taken = { ...variables };
  for (const name of SECRET_VARIABLES) Reflect.deleteProperty(variables, name);
  return taken;
}
