import type { Command, Option } from 'commander';
import { IMAGE_CHECKS } from '@fenestra/imaging';
import { DOCTOR_CHECKS, JOIN_CHECKS } from '@fenestra/lifecycle';
import type { NamedCheck } from '@fenestra/session';
import { KUBE_JOIN_CHECKS, KUBE_UPGRADE_CHECKS, PREPARE_CHECKS } from '@fenestra/worker';
import { examplesOf } from './examples.ts';
import { describeOption } from './program.ts';
import { commandPath } from './report-error.ts';

const HEAD = `# Command line

<!-- Made by scripts/reference.ts from the commands. Do not edit: change the commands, then run it again. -->

Every \`keadm\` command with its flags. \`keadm COMMAND --help\` prints the same text. Every command also takes
\`-o, --output text|json\` (default: \`text\`) and \`-h, --help\`. Exit codes are in [errors](../errors.md).

- A duration is a number of seconds, or a text such as \`90s\`, \`1m30s\` or \`2h\`; the longest is 24 days (\`576h\`).
- A flag that takes a list can be given several times, or once with commas.
`;

const SHARED = ['--output', '--help'];

/** The command-line page of `docs/reference`, by name. */
export function cliReferenceFiles(program: Command): ReadonlyMap<string, string> {
  return new Map([['cli.md', [HEAD, ...visibleCommands(program).map(section)].join('\n')]]);
}

/** A command and all its subcommands that help lists, in the order of the help. */
export function visibleCommands(command: Command): readonly Command[] {
  const children = command.createHelp().visibleCommands(command);
  return [command, ...children.filter((child) => child.name() !== 'help').flatMap(visibleCommands)];
}

function section(command: Command): string {
  const path = commandPath(command);
  const help = command.createHelp();
  const subcommands = visibleCommands(command).filter(({ parent }) => parent === command);
  const options = help.visibleOptions(command).filter(({ long }) => !SHARED.includes(long ?? ''));
  const examples = examplesOf(path).flatMap(({ does, line }) => [`# ${does}`, line]);
  const parts = [
    `## ${path}`,
    `${command.description()}.`,
    ['```console', `${path} ${command.usage()}`.trim(), '```'].join('\n'),
    table(
      ['Command', 'Description'],
      subcommands.map((child) => [`\`${commandPath(child)}\``, child.description()]),
    ),
    table(
      ['Argument', 'Description'],
      help.visibleArguments(command).map((each) => [`\`${each.name()}\``, help.argumentDescription(each)]),
    ),
    table(['Flag', 'Description'], options.map(optionRow)),
    examples.length === 0 ? '' : ['Examples:', '', '```console', ...examples, '```'].join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function optionRow(option: Option): readonly string[] {
  return [`\`${option.flags}\``, describeOption(option)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows].map(rowText).join('\n');
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The commands that make checks, with what they check. */
export const CHECKING_COMMANDS: ReadonlyMap<string, readonly NamedCheck[]> = new Map([
  ['doctor', DOCTOR_CHECKS],
  ['join', JOIN_CHECKS],
  ['kube prepare', PREPARE_CHECKS],
  ['kube join', KUBE_JOIN_CHECKS],
  ['kube upgrade', KUBE_UPGRADE_CHECKS],
  ['image verify', IMAGE_CHECKS],
]);

const CHECKS_HEAD = `# Checks

<!-- Made by scripts/reference.ts from the checks. Do not edit: change the checks, then run it again. -->

A check has the same name in every command. \`keadm doctor\` reports them all; the other commands change nothing if one
fails. \`--skip-check NAME\` continues although it fails. The commands for Kubernetes workers also accept \`all\` and
kubeadm's names. Names of earlier versions are accepted: \`time\` (\`clock\`), \`runtime\` (\`container-runtime\`), \`port-10250\`
(\`ports\`), \`existing-node\` (\`node-name\`) and \`system\` (\`os-version\`).

\`keadm doctor\` on a machine that has joined also checks the node: its name, its certificate and its cloud.
`;

/** The page of checks in `docs/reference`, by name. */
export function checksReferenceFiles(): ReadonlyMap<string, string> {
  const commands = [...CHECKING_COMMANDS];
  const checks = new Map(commands.flatMap(([, list]) => list.map(({ name, about }) => [name, about])));
  const rows = [...checks].map(([name, about]) => {
    const uses = commands.map(([, list]) => (list.some((check) => check.name === name) ? 'yes' : ''));
    return [`\`${name}\``, about, ...uses];
  });
  const head = ['Name', 'Passes if', ...commands.map(([command]) => `\`${command}\``)];
  const rowsText = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return new Map([['checks.md', `${CHECKS_HEAD}\n${rowsText}\n`]]);
}
