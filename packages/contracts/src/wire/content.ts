import * as z from 'zod/mini';
import { OperatorError, type Json } from '@fenestra/kernel';
import { tryParseJson } from './json.ts';
import type { Message } from './message.ts';

/** The content as the text it stands for: a string is itself, everything else its JSON. */
export function contentText(message: Message): string {
  return typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
}

/**
 * The content as the object or list it stands for. Senders embed JSON as text, and Go senders as base64 when they hold
 * bytes: both are unwrapped. Other content is returned as it is.
 */
export function contentJson({ content }: Message): Json {
  if (typeof content !== 'string') return content;
  return embedded(content) ?? embedded(Buffer.from(content, 'base64').toString('utf8')) ?? content;
}

/** Reads the content as a payload of the given shape, or throws `MESSAGE_INVALID` with the fields that are wrong. */
export function readContent<Schema extends z.ZodMiniType>(schema: Schema, message: Message): z.infer<Schema> {
  const result = z.safeParse(schema, contentJson(message));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => issue.path.join('.') || '(all)').join(', ');
  throw new OperatorError('MESSAGE_INVALID', `Cannot use the content of "${message.route.resource}"`, {
    hint: 'Compare the versions of cloud and node.',
    details: { operation: message.route.operation, problems },
  });
}

/** Bytes as the wire carries them inside an object: base64 with padding. */
export function encodeBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The bytes of a base64 field, or `MESSAGE_INVALID`. */
export function decodeBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw new OperatorError('MESSAGE_INVALID', 'Cannot read a field of bytes: it is not base64', {
    hint: 'Compare the versions of cloud and node.',
  });
}

// Only objects and lists are ever embedded. A bare word or number is text, or base64 that looks like one.
function embedded(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined;
}
