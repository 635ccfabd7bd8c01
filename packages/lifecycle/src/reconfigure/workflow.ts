import type { Phase } from '@fenestra/kernel';
import type { ReconfigureFacts } from './facts.ts';
import { armGuard } from './phases/arm-guard.ts';
import { proveAgent } from './phases/prove-agent.ts';
import { reloadAgent } from './phases/reload-agent.ts';
import { startAgent } from './phases/start-agent.ts';
import { stopAgent } from './phases/stop-agent.ts';
import { tidyUp } from './phases/tidy-up.ts';
import { writeConfiguration } from './phases/write-configuration.ts';

/** The old file is given up last, so every failure before leads back to it. Either of reload and restart plans nothing. */
export const RECONFIGURE: readonly Phase<ReconfigureFacts>[] = [
  armGuard,
  stopAgent,
  writeConfiguration,
  reloadAgent,
  startAgent,
  proveAgent,
  tidyUp,
];
