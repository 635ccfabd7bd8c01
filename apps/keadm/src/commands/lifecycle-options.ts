import { resolve } from 'node:path';
import { durationMilliseconds } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { Option, type Command } from 'commander';
import { rootOption, type RootFlag, InputOption } from './input-option.ts';

/** The options of every command that changes a node. */
export interface LifecycleFlags extends RootFlag {
  readonly dryRun: boolean;
  readonly preRun?: string;
  readonly postRun?: string;
  /** Seconds. */
  readonly scriptLimit: number;
}

/** How a command that starts the agent proves it healthy. Both are seconds. */
export interface HealthFlags {
  readonly wait: number;
  readonly settle: number;
}

const SCRIPT_LIMIT_SECONDS = 5 * 60;
const WAIT_SECONDS = 120;
const SETTLE_SECONDS = 5;

/** Adds `--root`, `--dry-run` and the scripts around the work. */
export function lifecycleOptions(command: Command): Command {
  return command
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .addOption(
      new InputOption('--pre-run <script>', 'run this script first; if it fails, nothing is changed').argParser(toPath),
    )
    .addOption(
      new InputOption('--post-run <script>', 'run this script last; if it fails, the change stays').argParser(toPath),
    )
    .addOption(durationOption('--script-limit', 'how long each script may run', SCRIPT_LIMIT_SECONDS));
}

/** Adds `--wait` and `--settle`. */
export function healthOptions(command: Command, settleSeconds = SETTLE_SECONDS): Command {
  return command
    .addOption(durationOption('--wait', 'how long to wait for the agent to become healthy', WAIT_SECONDS))
    .addOption(durationOption('--settle', 'how long the agent must then stay healthy', settleSeconds));
}

/** An option that takes a duration and receives seconds. A default that is a text only describes what applies. */
export function durationOption(flag: string, description: string, defaultValue: number | string): Option {
  const text = typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : '';
  const option = new Option(`${flag} <duration>`, `${description}, such as 90s or 1m30s${text}`).argParser(toSeconds);
  if (typeof defaultValue === 'string') return option;
  return option.default(defaultValue, defaultValue % 60 === 0 ? `${defaultValue / 60}m` : `${defaultValue}s`);
}

/** Longer waits do not fit in a timer: Node ends them at once. */
const LONGEST_SECONDS = 24 * 24 * 60 * 60;

/** `90`, `90s` and `1m30s` are the same number of seconds. */
export function toSeconds(text: string): number {
  const seconds = secondsOf(text);
  if (seconds <= LONGEST_SECONDS) return seconds;
  throw new OperatorError('USAGE', `Cannot use "${text}" as a duration`, {
    hint: 'Give seconds, or a text such as "90s" or "1m30s", at most 24 days ("576h").',
  });
}

function secondsOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  return /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text) ? durationMilliseconds(text) / 1000 : Number.NaN;
}

/** A TCP port. */
export function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new OperatorError('USAGE', `Cannot use "${text}" as a port`, { hint: 'Give a number from 1 to 65535.' });
}

/** Takes an option that may be given several times, or once with commas. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').filter((part) => part !== '')];
}

/** Takes an option that may be given several times. */
export function append(text: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, text];
}

/** A path as seen from where the command was typed. */
export function toPath(text: string): string {
  return resolve(text);
}

/**
 * Knows flags of upstream's that make no sense here: the error says what to do, and not that the flag is unknown.
 * `reasons` has the instruction for each, `program` says whose flags they are.
 */
export function refuseUpstreamFlags(
  command: Command,
  reasons: Readonly<Record<string, string>>,
  program = "upstream's keadm",
): Command {
  for (const [flag, hint] of Object.entries(reasons)) {
    const option = new Option(`${flag} [value]`).hideHelp();
    command.addOption(option);
    command.on(`option:${option.name()}`, () => {
      throw new OperatorError('USAGE', `Cannot use "${flag}", a flag of ${program}, here`, { hint });
    });
  }
  return command;
}
