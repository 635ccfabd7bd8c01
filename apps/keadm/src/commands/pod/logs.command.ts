import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContainerRuntime, containerStateOf, diagnose } from '@fenestra/cri';
import { logBytes, type LogOfInstance, readLog, type LogWishes } from '@fenestra/cri/logs';
import { OperatorError } from '@fenestra/kernel';
import { type ContainerView, highestLoggedAttempt, podLogFolder, type PodView } from '@fenestra/pods';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../../cli/node-command.ts';
import { type OutputFlag } from '../../cli/result.ts';
import { findContainer, findPod, keyOf } from '../../pods/find-pod.ts';
import { type NodePods, withNodePods } from '../../pods/node-pods.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { rootOption, type RootFlag } from '../input-option.ts';
import { printLines, toMoment } from '../logs.command.ts';
import { toCount } from '../version-change.ts';

interface LogsFlags extends RootFlag, OutputFlag {
  readonly container?: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tail?: number;
  readonly since?: string;
  readonly limitBytes?: number;
}

/** `keadm pod logs POD`: prints as it reads, from the files that the runtime writes. */
export function podLogsCommand({ environment }: CommandContext): Command {
  return new NodeCommand('logs', () => PRIVILEGED)
    .description('Show the log of a container; "--output json" prints an object for each line')
    .argument('<pod>', 'the pod: NAME or NAMESPACE/NAME')
    .option('-c, --container <name>', 'the container (default: the only one)')
    .option('-f, --follow', 'show new lines until the container ends or you interrupt', false)
    .option('-p, --previous', 'show the instance before the present one', false)
    .option('--tail <number>', 'number of last lines to show (default: all)', toCount)
    .option(
      '--since <time>',
      'show lines since this time: a duration such as "10m", or a time such as "2026-01-31T08:00:00Z"',
    )
    .option('--timestamps', 'show the time of each line', false)
    .option('--limit-bytes <number>', 'number of bytes to show at most', toCount)
    .addOption(rootOption())
    .action(async (name: string, flags: LogsFlags) => {
      await withNodePods(environment, { root: flags.root, action: 'logs' }, async (node) => {
        const pod = findPod((await node.list()).pods, name);
        await printLog(environment, node, pod, findContainer(pod, flags.container), flags);
      });
    });
}

async function printLog(
  { terminal, signal, now }: KeadmEnvironment,
  node: NodePods,
  pod: PodView,
  container: ContainerView,
  flags: LogsFlags,
): Promise<void> {
  const instance = await instanceOf(node, pod, container, flags.previous);
  const wishes: LogWishes = {
    ...(flags.tail !== undefined && { tailLines: flags.tail }),
    ...(flags.since !== undefined && { since: toMoment(flags.since, now()).getTime() }),
    ...(flags.follow && !flags.previous && { isRunning: async () => isRunning(node.runtime, container, signal) }),
  };
  const lines = readLog(instance, wishes, signal);
  if (flags.output === 'json') return printLines(terminal, jsonLines(lines), (line) => line);
  for await (const bytes of logBytes(lines, flags)) {
    terminal.out(bytes.toString());
    if (terminal.outClosed === true) return;
  }
}

async function* jsonLines(lines: ReturnType<typeof readLog>): AsyncGenerator<string> {
  for await (const { time, stream, text } of lines) yield JSON.stringify({ time, stream, text: text.toString() });
}

/** Whether an instance runs. While the runtime does not answer, its containers go on. */
export async function isRunning(
  runtime: Pick<ContainerRuntime, 'containerStatus'>,
  { id }: Pick<ContainerView, 'id'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (id === undefined) return false;
  try {
    const status = await runtime.containerStatus(id, signal);
    return status !== undefined && containerStateOf(status) === 'running';
  } catch (cause) {
    // Interruptions and bugs rise from here.
    diagnose(cause);
    return true;
  }
}

async function instanceOf(
  { logFolder }: NodePods,
  pod: PodView,
  container: ContainerView,
  previous: boolean,
): Promise<LogOfInstance> {
  const folder = join(logFolder, podLogFolder(pod), container.name);
  const names = await readdir(folder).catch(() => []);
  const newest = container.id === undefined ? highestLoggedAttempt(names) : container.restarts;
  const attempt = previous ? (newest ?? 0) - 1 : newest;
  const hasLog = names.some((name) => name === `${attempt}.log` || name.startsWith(`${attempt}.log.`));
  if (attempt !== undefined && hasLog) return { folder, attempt };
  const why = container.reason === undefined ? 'it has not written any' : `it is waiting: ${container.reason}`;
  const what = previous ? 'the previous instance of the container' : 'the container';
  throw new OperatorError(
    'PATH_NOT_FOUND',
    `Cannot find a log of ${what} "${container.name}": ${previous ? 'there is none' : why}`,
    {
      hint: `Look at the pod with "keadm pod describe ${keyOf(pod)}".`,
    },
  );
}
