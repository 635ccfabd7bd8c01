import { actionOf, COMPONENT_FLAGS, type ComponentAction, parseComponentFlags, verbosityOf } from '@fenestra/contracts';

/** What the command line asks for. */
export interface EdgecoreFlags {
  readonly action: ComponentAction;
  readonly configFile: string | undefined;
  readonly stateFolder: string | undefined;
  readonly logFile: string | undefined;
  /** klog's scale: 4 and above is for people who look for an error. */
  readonly verbosity: number;
  readonly service: string;
}

const OPTIONS = {
  ...COMPONENT_FLAGS,
  'log-file': { type: 'string' },
  'state-folder': { type: 'string' },
  service: { type: 'string', default: 'edgecore' },
} as const;

/** Reads upstream's flags, and `--state-folder` and `--service`, which are ours. */
export function readFlags(args: readonly string[]): EdgecoreFlags {
  const values = parseComponentFlags(args, OPTIONS);
  return {
    action: actionOf(values),
    configFile: values.config,
    stateFolder: values['state-folder'],
    logFile: values['log-file'],
    verbosity: verbosityOf(values.v),
    service: values.service,
  };
}
