import type { Message } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import { messageEncoder } from './encoded-messages.ts';
import { newHubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import { listeners, type Listeners } from './listeners.ts';
import type { Outflow } from './outflow.ts';
import type { Session } from './session.ts';
import type { WindowOptions } from './window-state.ts';

/** What a hub is made with. `now` counts milliseconds and never goes back. */
export interface HubOptions {
  readonly limits: HubLimits;
  readonly window: WindowOptions;
  readonly log: Logger;
  readonly now: () => number;
}

/** Everything the hub's parts share. */
export interface HubState extends HubOptions, Outflow {
  readonly sessions: Map<string, Session>;
  /** Sessions with deliveries on their way: the timer looks after them. */
  readonly busy: Set<Session>;
  /** Sessions that are not read from for a while. */
  readonly paused: Set<Session>;
  /** Bytes of all messages that the controllers work on. */
  unfinishedBytes: number;
  readonly connected: Listeners<[node: string]>;
  readonly disconnected: Listeners<[node: string]>;
  readonly messages: Listeners<[node: string, message: Message]>;
  readonly acknowledged: Listeners<[node: string, key: string, resourceVersion: string, message: Message]>;
}

/** The state of a hub without connections. */
export function newHubState(options: HubOptions): HubState {
  const { log } = options;
  return {
    ...options,
    encode: messageEncoder(),
    counts: newHubCounts(),
    sessions: new Map(),
    busy: new Set(),
    paused: new Set(),
    unfinishedBytes: 0,
    connected: listeners('connected', log),
    disconnected: listeners('disconnected', log),
    messages: listeners('message', log),
    acknowledged: listeners('acknowledged', log),
  };
}
