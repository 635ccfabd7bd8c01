import type { Message } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import { type HubCounts, newHubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import { listeners, type Listeners } from './listeners.ts';
import { messageEncoder, type MessageEncoder } from './message-encoder.ts';
import type { WindowOptions } from './window-options.ts';

/** What a hub is made with. `now` counts milliseconds and never goes back. */
export interface HubOptions {
  readonly limits: HubLimits;
  readonly window: WindowOptions;
  readonly log: Logger;
  readonly now: () => number;
}

/** What the parts of a hub share. Each part keeps its sessions to itself. */
export interface HubContext extends HubOptions {
  readonly counts: HubCounts;
  readonly encode: MessageEncoder;
  readonly connected: Listeners<[node: string]>;
  readonly disconnected: Listeners<[node: string]>;
  readonly messages: Listeners<[node: string, message: Message]>;
  readonly acknowledged: Listeners<[node: string, key: string, resourceVersion: string, message: Message]>;
}

/** The context of a new hub: everything counted is zero, and there are no listeners. */
export function newHubContext(options: HubOptions): HubContext {
  const { log } = options;
  return {
    ...options,
    counts: newHubCounts(),
    encode: messageEncoder(),
    connected: listeners('connected', log),
    disconnected: listeners('disconnected', log),
    messages: listeners('message', log),
    acknowledged: listeners('acknowledged', log),
  };
}
