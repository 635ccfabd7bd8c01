import { Option } from 'commander';

/** The flag that names the batch file. */
export interface BatchFileFlag {
  readonly config: string;
}

/** `-c, --config FILE`, which has to be given. */
export function batchFileOption(): Option {
  return new Option('-c, --config <file>', 'batch file').makeOptionMandatory();
}
