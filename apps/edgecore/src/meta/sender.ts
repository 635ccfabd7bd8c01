import type { Logger } from '@fenestra/platform';
import type { HubClient } from '../hub/hub-client.ts';
import { failureFields } from '../modules/describe-failure.ts';
import type { Alarm } from './alarm.ts';
import type { Outbox } from './outbox.ts';

/** What a sender is made with. */
export interface SenderOptions {
  readonly outbox: Outbox;
  readonly hub: HubClient;
  readonly log: Logger;
  /** Rings when there is something to send, or a connection to send it by. */
  readonly alarm: Alarm;
  /** How long to wait before what got stuck is tried again. */
  readonly retryMs: number;
}

/** Empties the outbox whenever the alarm rings, and goes on trying while something is stuck. Ends with the signal. */
export async function keepSending(options: SenderOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isStuck = await sendAll(options, signal);
    await options.alarm.wait(isStuck ? options.retryMs : Infinity, signal);
  }
}

/** Returns whether something is left although there is a connection. */
async function sendAll({ outbox, hub, log }: SenderOptions, signal: AbortSignal): Promise<boolean> {
  try {
    await outbox.flush(signal);
    return hub.connected && !signal.aborted && outbox.waiting > 0;
  } catch (cause) {
    if (!signal.aborted) log.error('Cannot send what waits for the cloud', failureFields(cause));
    return hub.connected;
  }
}
