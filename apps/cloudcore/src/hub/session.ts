import type { Message } from '@fenestra/contracts';
import type { WebSocket } from 'ws';
import type { ObjectVersion } from './delivery-queues.ts';
import type { DeliveryWindow } from './delivery-window.ts';
import type { HubLimits } from './hub-limits.ts';

/** A version of an object with the message that carries it. */
interface MessageVersion extends ObjectVersion {
  readonly message: Message;
}

/** A node as its certificate identifies it. */
export interface AdmittedNode {
  readonly node: string;
  /** SHA-256 of the certificate's public key, hex. */
  readonly keyHash: string;
  /** How long the certificate is valid from now on. */
  readonly validMs: number;
}

/** One node's connection. There are thousands of them: plain data, no timers, nothing kept that is not needed. */
export interface Session {
  readonly node: string;
  readonly keyHash: string;
  /** When the certificate expires, by the hub's clock. */
  readonly expiresAt: number;
  readonly socket: WebSocket;
  /** Only while something is on its way. */
  window: DeliveryWindow<MessageVersion> | undefined;
  heardAt: number;
  /** How many messages and bytes the node may send at once right now, as of `allowanceAt`. */
  allowance: number;
  byteAllowance: number;
  allowanceAt: number;
  /** Messages that the controllers work on, and their bytes. */
  unfinished: number;
  unfinishedBytes: number;
  /** Since when the node has more bytes waiting than it should. */
  slowSince: number | undefined;
  /** Until then its misbehaviour is not worth another line in the log. */
  nextWarningAt: number;
}

/** A session that begins now. */
export function newSession(
  { node, keyHash, validMs }: AdmittedNode,
  socket: WebSocket,
  limits: HubLimits,
  now: number,
): Session {
  return {
    node,
    keyHash,
    expiresAt: now + validMs,
    socket,
    window: undefined,
    heardAt: now,
    allowance: limits.messageBurst,
    byteAllowance: limits.byteBurst,
    allowanceAt: now,
    unfinished: 0,
    unfinishedBytes: 0,
    slowSince: undefined,
    nextWarningAt: now,
  };
}

/** Why the hub closes a connection, in WebSocket's numbers. The reason in words goes with it. */
export const CLOSE_CODES = {
  /** What the node sent cannot be read. */
  unreadable: 1007,
  /** The node may not stay: it is silent, replaced or removed. */
  policy: 1008,
  /** This replica goes away: connect again, to anyone who answers then. */
  restart: 1012,
} as const;

/** One of the reasons. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
