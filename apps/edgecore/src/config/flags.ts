import { parseArgs } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** What the command line asks for. */
export interface EdgecoreFlags {
  readonly action: 'run' | 'default-config' | 'minimal-config' | 'version';
  readonly configFile: string | undefined;
  readonly stateFolder: string | undefined;
  readonly logFile: string | undefined;
  /** klog's scale: 4 and above is for people who look for an error. */
  readonly verbosity: number;
  readonly service: string;
}

const OPTIONS = {
  config: { type: 'string' },
  defaultconfig: { type: 'boolean', default: false },
  minconfig: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  'log-file': { type: 'string' },
  v: { type: 'string', short: 'v', default: '0' },
  'state-folder': { type: 'string' },
  service: { type: 'string', default: 'edgecore' },
} as const;

/** Reads upstream's flags, and `--state-folder` and `--service`, which are ours. */
export function readFlags(args: readonly string[]): EdgecoreFlags {
  const { values } = parse(args);
  return {
    action: actionOf(values),
    configFile: values.config,
    stateFolder: values['state-folder'],
    logFile: values['log-file'],
    verbosity: verbosityOf(values.v),
    service: values.service,
  };
}

function parse(args: readonly string[]) {
  try {
    // Go's flags take a value after "=" where ours do not: "--version=raw", "-v=4".
    const plain = args.map((arg) => arg.replace(/^--version=.*$/, '--version').replace(/^-v=/, '--v='));
    return parseArgs({ args: plain, options: OPTIONS, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new OperatorError('USAGE', reason, { hint: `The flags are ${names.join(', ')}.`, cause });
  }
}

function actionOf(values: { defaultconfig: boolean; minconfig: boolean; version: boolean }): EdgecoreFlags['action'] {
  if (values.version) return 'version';
  if (values.defaultconfig) return 'default-config';
  return values.minconfig ? 'minimal-config' : 'run';
}

function verbosityOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new OperatorError('USAGE', `Cannot read "-v ${text}"`, { hint: 'Give a number, such as "-v 4".' });
}
