import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { OperatorError } from '@fenestra/kernel';

/** The flags that upstream's edgecore and cloudcore have in common. */
export const COMPONENT_FLAGS = {
  config: { type: 'string' },
  defaultconfig: { type: 'boolean', default: false },
  minconfig: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  v: { type: 'string', short: 'v', default: '0' },
} as const satisfies ParseArgsOptionsConfig;

/** What a command line asks a component to do. */
export type ComponentAction = 'run' | 'default-config' | 'minimal-config' | 'version';

/** Reads a component's command line; what it does not know is `USAGE`. */
export function parseComponentFlags<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    // Go's flags take a value after "=" where ours do not: "--version=raw", "-v=4".
    const plain = args.map((arg) => arg.replace(/^--version=.*$/, '--version').replace(/^-v=/, '--v='));
    return parseArgs({ args: plain, options, strict: true }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new OperatorError('USAGE', reason, { hint: `The flags are ${names.join(', ')}.`, cause });
  }
}

/** Of several questions at once the first of upstream's is answered. */
export function actionOf(values: {
  readonly defaultconfig: boolean;
  readonly minconfig: boolean;
  readonly version: boolean;
}): ComponentAction {
  if (values.version) return 'version';
  if (values.defaultconfig) return 'default-config';
  return values.minconfig ? 'minimal-config' : 'run';
}

/** klog's scale, as `-v` gives it. */
export function verbosityOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new OperatorError('USAGE', `Cannot read "-v ${text}"`, { hint: 'Give a number, such as "-v 4".' });
}
