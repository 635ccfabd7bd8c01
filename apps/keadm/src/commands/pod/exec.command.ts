import { type ExecStreams, runExec } from '@fenestra/cri/streams';
import { runtimeError } from '@fenestra/cri';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../../cli/node-command.ts';
import type { CommandResult, OutputFlag } from '../../cli/result.ts';
import { findContainer, findPod, keyOf } from '../../pods/find-pod.ts';
import { type NodePods, reportedPods, withNodePods } from '../../pods/node-pods.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { rootOption, type RootFlag } from '../input-option.ts';

interface ExecFlags extends RootFlag, OutputFlag {
  readonly container?: string;
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** `keadm pod exec POD -- COMMAND`: the exit code is that of the command. */
export function execCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('exec', () => PRIVILEGED)
    .description('Run a command in a container and exit with its exit code')
    .argument('<pod>', 'the pod: NAME or NAMESPACE/NAME')
    .argument('<command...>', 'the program and its arguments, after "--"')
    .option('-c, --container <name>', 'the container (default: the only one)')
    .option('-i, --stdin', 'pass standard input to the command', false)
    .option('-t, --tty', 'give the command a terminal; needs "--stdin"', false)
    .addOption(rootOption())
    .action(async (name: string, command: readonly string[], flags: ExecFlags) => {
      const result = await withNodePods(environment, { root: flags.root, action: 'exec' }, async (node) => {
        const url = await execAddress(node, name, command, flags, environment.signal);
        return run(url, flags, environment).catch(outputFailed);
      });
      deliver(result);
    });
}

async function execAddress(
  node: NodePods,
  name: string,
  command: readonly string[],
  { container, stdin, tty }: ExecFlags,
  signal: AbortSignal,
): Promise<string> {
  const pod = findPod(reportedPods(await node.list()), name);
  const { id, state, ...found } = findContainer(pod, container);
  if (id === undefined || state !== 'running') {
    throw new OperatorError(
      'NOT_SUPPORTED',
      `Cannot run a command in the container "${found.name}": it is not running`,
      {
        hint: `Look at the pod with "keadm pod describe ${keyOf(pod)}".`,
      },
    );
  }
  const request = { containerId: id, cmd: [...command], stdin, stdout: true, stderr: !tty, tty };
  return node.runtime.exec(request, signal).catch((cause: unknown) => {
    throw runtimeError(cause, node.endpoint);
  });
}

async function run(url: string, flags: ExecFlags, { streams, signal }: KeadmEnvironment): Promise<CommandResult> {
  const { input, out, err, terminal } = streams();
  const stdin = flags.stdin ? input : undefined;
  if (flags.output === 'json') return runForPrograms(url, { stdin }, signal);
  if (!flags.tty) return ended(await runExec(url, { stdin, stdout: out, stderr: err }, signal));
  if (terminal === undefined || !flags.stdin) throw noTerminal();
  const sizes = terminal.sizes();
  return ended(await terminal.inRawMode(async () => runExec(url, { stdin, stdout: out, stderr: err, sizes }, signal)));
}

function ended(exitCode: number): CommandResult {
  return { data: { exitCode }, text: '', exitCode, streamed: true };
}

/** With what a write fails if no one reads it any more, on Windows with the second. */
const CLOSED = ['EPIPE', 'EOF'];
/** As of a program that ends because its output is closed: 128 and the number of SIGPIPE. */
const CLOSED_EXIT_CODE = 141;

/** A closed output, as in a pipe to `head`, ends the command without a message. */
export function outputFailed(cause: unknown): CommandResult {
  const code = systemCodeOf(cause);
  if (CLOSED.includes(code)) return ended(CLOSED_EXIT_CODE);
  throw code === 'unknown' ? cause : fileError(cause, 'write the output of the command');
}

/** What the command wrote is a part of the result. */
async function runForPrograms(url: string, { stdin }: Pick<ExecStreams, 'stdin'>, signal: AbortSignal) {
  const [stdout, stderr] = [outputText(), outputText()];
  const exitCode = await runExec(url, { stdin, stdout: stdout.add, stderr: stderr.add }, signal);
  return { data: { exitCode, stdout: stdout.text(), stderr: stderr.text() }, text: '', exitCode };
}

/** Collects an output, of which one character may come in two pieces. */
export function outputText() {
  const pieces: Buffer[] = [];
  return {
    add: async (bytes: Buffer) => void pieces.push(bytes),
    text: () => Buffer.concat(pieces).toString(),
  };
}

function noTerminal(): OperatorError {
  return new OperatorError('USAGE', 'Cannot give the command a terminal: standard input or output is none', {
    hint: 'Run keadm in a terminal with "--stdin --tty", or leave out "--tty".',
  });
}
