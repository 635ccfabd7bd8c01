import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '@fenestra/kernel';

/** Fields a newer peer sends that are unknown here. They travel on unchanged. */
export type UnknownFields = JsonObject;

/** Who a message is and what it answers. `timestamp` counts milliseconds since 1970. */
export interface MessageHeader {
  readonly id: string;
  readonly parentId?: string;
  readonly timestamp: number;
  readonly resourceVersion?: string;
  readonly sync?: true;
  /** The transport type of upstream's message bus: nothing here reads it. */
  readonly type?: string;
  readonly unknown?: UnknownFields;
}

/** Where a message comes from and what it is about. A part that is not given is an empty string. */
export interface MessageRoute {
  readonly source: string;
  readonly destination?: string;
  readonly group: string;
  readonly operation: string;
  readonly resource: string;
  readonly unknown?: UnknownFields;
}

/** One message between cloud and node, as both sides hold it in memory. */
export interface Message {
  readonly header: MessageHeader;
  readonly route: MessageRoute;
  readonly content: Json;
}

/** What the sender of a message decides. Content that is left out travels as `null`. */
export interface MessageParts {
  readonly source: string;
  readonly group: string;
  readonly operation: string;
  readonly resource: string;
  readonly content?: Json;
  readonly parentId?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The identity of a new message: a random id and the present time, unless a caller knows better. */
export interface MessageStamp {
  readonly id: string;
  readonly timestamp: number;
}

/** Makes a message with a fresh id. */
export function newMessage(parts: MessageParts, stamp: MessageStamp = freshStamp()): Message {
  const { source, group, operation, resource, content = null, parentId, resourceVersion } = parts;
  return {
    header: { ...stamp, ...(parentId ? { parentId } : {}), ...(resourceVersion ? { resourceVersion } : {}) },
    route: { source, group, operation, resource },
    content,
  };
}

/** What an answer may differ in from "operation `response`, same group, same resource". */
export interface ReplyParts {
  readonly source: string;
  readonly content: Json;
  readonly operation?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceVersion?: string | undefined;
}

/** Makes the answer to a message: its parent is the message's id. */
export function replyTo(message: Message, reply: ReplyParts, stamp: MessageStamp = freshStamp()): Message {
  const { group, resource } = message.route;
  return newMessage({ operation: 'response', group, resource, ...reply, parentId: message.header.id }, stamp);
}

function freshStamp(): MessageStamp {
  return { id: randomUUID(), timestamp: Date.now() };
}
