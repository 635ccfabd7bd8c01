import type { Option } from 'commander';
import { InputOption } from '../input-option.ts';

/** The flag that names the batch file. */
export interface BatchFileFlag {
  readonly config: string;
}

/** `-c, --config FILE`, which has to be given. */
export function batchFileOption(): Option {
  return new InputOption('-c, --config <file>', 'batch file').makeOptionMandatory();
}
