import type { Message } from '@fenestra/contracts';
import type { WebSocket } from 'ws';
import type { HubLimits } from './hub-limits.ts';
import type { DeliveryWindow, Parcel } from './window-state.ts';

/** A version of an object with the message that carries it. */
export interface MessageParcel extends Parcel {
  readonly message: Message;
}

/** One node's connection. There are thousands of them: plain data, no timers, nothing kept that is not needed. */
export interface Session {
  readonly node: string;
  readonly socket: WebSocket;
  /** Only while something is on its way. */
  window: DeliveryWindow<MessageParcel> | undefined;
  heardAt: number;
  /** How many messages the node may send at once right now, as of `allowanceAt`. */
  allowance: number;
  allowanceAt: number;
  /** Messages that the controllers work on. */
  unfinished: number;
  /** Since when the node has more bytes waiting than it should. */
  slowSince: number | undefined;
  /** Until then its misbehaviour is not worth another line in the log. */
  nextWarningAt: number;
}

/** A session that begins now. */
export function newSession(node: string, socket: WebSocket, limits: HubLimits, now: number): Session {
  return {
    node,
    socket,
    window: undefined,
    heardAt: now,
    allowance: limits.messageBurst,
    allowanceAt: now,
    unfinished: 0,
    slowSince: undefined,
    nextWarningAt: now,
  };
}
