import type { Phase } from '@fenestra/kernel';
import type { AgentFacts } from './facts.ts';
import { createFolders } from './phases/create-folders.ts';
import { deleteAgent } from './phases/delete-agent.ts';
import { forgetPrevious } from './phases/forget-previous.ts';
import { placeAgent } from './phases/place-agent.ts';
import { registerService } from './phases/register-service.ts';
import { startAgent } from './phases/start-agent.ts';
import { stopAgent } from './phases/stop-agent.ts';
import { unregisterService } from './phases/unregister-service.ts';

/** The old program is given up last, so every failure before leads back to it. */
export const INSTALL_AGENT: readonly Phase<AgentFacts>[] = [
  createFolders,
  placeAgent,
  registerService,
  startAgent,
  forgetPrevious,
];

/** Nothing is deleted while the service manager could still start it. */
export const REMOVE_AGENT: readonly Phase<AgentFacts>[] = [stopAgent, unregisterService, deleteAgent];
