import type { Phase } from '@fenestra/kernel';
import type { ServiceFacts } from './facts.ts';
import { createFolders } from './phases/create-folders.ts';
import { deleteProgram } from './phases/delete-program.ts';
import { forgetPrevious } from './phases/forget-previous.ts';
import { placeProgram } from './phases/place-program.ts';
import { registerService } from './phases/register-service.ts';
import { stopForChange } from './phases/stop-for-change.ts';
import { startService } from './phases/start-service.ts';
import { stopService } from './phases/stop-service.ts';
import { unregisterService } from './phases/unregister-service.ts';
import { writeConfiguration } from './phases/write-configuration.ts';

/** The old program is given up last, so every failure before leads back to it. */
export const INSTALL_SERVICE: readonly Phase<ServiceFacts>[] = [
  createFolders,
  writeConfiguration,
  stopForChange,
  placeProgram,
  registerService,
  startService,
  forgetPrevious,
];

/** Nothing is deleted while the service manager could still start it. */
export const REMOVE_SERVICE: readonly Phase<ServiceFacts>[] = [stopService, unregisterService, deleteProgram];
