import type { StepHandler } from '@fenestra/kernel';
import { createFolder } from './create-folder.ts';
import { placeExecutable } from './place-executable.ts';
import type { StepPorts } from './ports.ts';
import { removePath } from './remove-path.ts';
import { installService, removeService, startService, stopService } from './services.ts';
import { writeFile } from './write-file.ts';

export { type CreateFolder } from './create-folder.ts';
export { pathExists } from './existing-path.ts';
export { type PlaceExecutable } from './place-executable.ts';
export { digestOf, previousVersion } from './previous-version.ts';
export { type StepPorts } from './ports.ts';
export { type RemovePath } from './remove-path.ts';
export { type InstallService, type RemoveService, type StartService, type StopService } from './services.ts';
export { type WriteFile } from './write-file.ts';

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
