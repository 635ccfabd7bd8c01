import type { StepHandler } from '@fenestra/kernel';
import { createFolder } from './create-folder.ts';
import { placeExecutable } from './place-executable.ts';
import type { StepPorts } from './ports.ts';
import { removePath } from './remove-path.ts';
import { installService, removeService, startService, stopService } from './services.ts';
import { writeFile } from './write-file.ts';

export { pathExists } from './existing-path.ts';
export { digestOf, previousExecutable } from './place-executable.ts';
export { type StepPorts } from './ports.ts';

/** Every kind of step there is, so that recovery can deal with whatever a journal holds. */
export const STEP_HANDLERS: readonly StepHandler<StepPorts>[] = [
  createFolder,
  writeFile,
  placeExecutable,
  installService,
  startService,
  stopService,
  removeService,
  removePath,
];
