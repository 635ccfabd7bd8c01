import type { Phase } from '@fenestra/kernel';
import type { RestoreFacts } from './facts.ts';
import { armGuard } from './phases/arm-guard.ts';
import { createFolders } from './phases/create-folders.ts';
import { placeFiles } from './phases/place-files.ts';
import { proveHealthy } from './phases/prove-healthy.ts';
import { registerService } from './phases/register-service.ts';
import { startService } from './phases/start-service.ts';
import { stopService } from './phases/stop-service.ts';
import { tidyUp } from './phases/tidy-up.ts';
import { unpackArchive } from './phases/unpack-archive.ts';

/** Nothing of the node is touched before the whole archive is verified, and nothing is given up before the node works. */
export const RESTORE: readonly Phase<RestoreFacts>[] = [
  unpackArchive,
  createFolders,
  armGuard,
  stopService,
  placeFiles,
  registerService,
  startService,
  proveHealthy,
  tidyUp,
];
