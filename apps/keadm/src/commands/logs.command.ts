import { basename, dirname, join, parse } from 'node:path';
import { durationMilliseconds } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { AGENT_SERVICE, gatherNodeFacts } from '@fenestra/lifecycle';
import { pathExists } from '@fenestra/platform';
import { Command } from 'commander';
import { type OutputFlag, success, type CommandResult } from '../cli/result.ts';
import type { CommandContext } from '../cli/program.ts';
import type { KeadmEnvironment, KeadmPlatform, Terminal } from '../platform.ts';
import { endOfLastLine, readLog, type LogWishes, logText } from './logs-files.ts';
import { followLog } from './logs-follow.ts';
import { rootOption, type RootFlag } from './input-option.ts';
import { toCount } from './version-change.ts';

interface LogsFlags extends RootFlag, OutputFlag {
  readonly follow: boolean;
  readonly lines?: number;
  readonly since?: string;
}

const DEFAULT_LINES = 100;

/** `keadm logs`: prints as it reads, since a log has no end that a result could wait for. */
export function logsCommand({ environment, deliver }: CommandContext): Command {
  return new Command('logs')
    .description('Show the log of the node agent; "--output json" prints its lines unchanged')
    .option('-f, --follow', 'show new lines until interrupted', false)
    .option(
      '-n, --lines <number>',
      `number of last lines to show (default: ${DEFAULT_LINES}, or all with "--since")`,
      toCount,
    )
    .option(
      '--since <time>',
      'show lines since this time: a duration such as "10m", or a time such as "2026-01-31T08:00:00Z"',
    )
    .addOption(rootOption())
    .action(async (flags: LogsFlags) => {
      const since = flags.since === undefined ? undefined : toMoment(flags.since, environment.now());
      const path = await findLog(await environment.loadPlatform(flags.root), flags);
      if (path === undefined) return deliver(await withoutLog(environment, flags));
      const lines = flags.lines ?? (since === undefined ? DEFAULT_LINES : Infinity);
      await printLog(environment, path, { ...flags, lines, since });
    });
}

async function printLog(
  { terminal, signal }: KeadmEnvironment,
  path: string,
  { follow, output, ...wishes }: Pick<LogsFlags, 'follow' | 'output'> & LogWishes,
): Promise<void> {
  const position = await endOfLastLine(path);
  async function* lines(): AsyncGenerator<string> {
    yield* await readLog(path, wishes, position);
    if (follow) yield* followLog(path, position, signal);
  }
  await printLines(terminal, lines(), output === 'json' ? (line) => line : logText);
}

/** Our agent's log is beside its data; upstream's, where it has one, in a folder for logs. */
async function findLog(platform: KeadmPlatform, { root }: LogsFlags): Promise<string | undefined> {
  const { host, layout, files, access, services } = platform;
  const ports = { host, files, access, services, secrets: new Map() };
  const { statusFolder } = await gatherNodeFacts({ host, layout, ports }, { asksProgram: false });
  const own = join(statusFolder, basename(dirname(layout.agentLogFile)), basename(layout.agentLogFile));
  const upstream = join(root ?? parse(layout.configFolder).root, 'var', 'log', 'kubeedge', 'edgecore.log');
  for (const path of [own, layout.agentLogFile, upstream]) if (await pathExists(path)) return path;
  return undefined;
}

async function withoutLog({ loadPlatform }: KeadmEnvironment, { root }: LogsFlags): Promise<CommandResult> {
  const { services } = await loadPlatform(root);
  const { state } = await services.status(AGENT_SERVICE);
  if (state === 'absent') throw noAgent();
  const command = services.commandLine('logs', AGENT_SERVICE);
  return success({ command }, `The agent has no log file; its service manager keeps the log: ${command}`);
}

/** Reads a duration before now, or a time. */
export function toMoment(text: string, now: Date): Date {
  if (/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return new Date(now.getTime() - durationMilliseconds(text));
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time);
  throw new OperatorError('USAGE', `Cannot use "${text}" as a time`, {
    hint: 'Give a duration such as "10m", or a time such as "2026-01-31T08:00:00Z".',
  });
}

function noAgent(): OperatorError {
  return new OperatorError('NODE_ABSENT', 'There is no log: this machine has no agent', {
    hint: 'Join it first with "keadm join".',
  });
}

/** Prints lines for as long as someone reads them: `keadm logs -f | head` has to end by itself. */
export async function printLines(
  terminal: Pick<Terminal, 'out' | 'outClosed'>,
  lines: AsyncIterable<string>,
  form: (line: string) => string,
): Promise<void> {
  for await (const line of lines) {
    terminal.out(`${form(line)}\n`);
    if (terminal.outClosed === true) return;
  }
}
