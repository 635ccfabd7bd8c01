import {
  bareFailureAnswer,
  failureAnswer,
  GROUPS,
  objectAnswer,
  OK,
  replyTo,
  SOURCES,
  type Message,
} from '@fenestra/contracts';
import { statusOf, type KubeObject } from '@fenestra/kube-api';
import { trimmed } from '../object-messages.ts';
import type { FailureForm, Reply } from './node-request.ts';

/** Makes the message that answers a node's message. */
export function answerMessage(message: Message, { content, resourceVersion }: Reply): Message {
  return replyTo(message, { source: SOURCES.edgeController, group: GROUPS.resource, content, resourceVersion });
}

/** The answer that carries an object and room for an error. */
export function wrapped(object: KubeObject): Reply {
  return { content: objectAnswer(trimmed(object)), resourceVersion: object.metadata.resourceVersion };
}

/** The answer that is the object. */
export function bare(object: KubeObject): Reply {
  return { content: trimmed(object), resourceVersion: object.metadata.resourceVersion };
}

/** The answer that only says yes. */
export function accepted(resourceVersion?: string): Reply {
  return { content: OK, resourceVersion };
}

/** The answer that tells a failure; undefined where none is expected. */
export function failureReply(form: FailureForm, error: unknown): Reply | undefined {
  const status = statusOf(error);
  switch (form) {
    case 'wrapped':
      return { content: failureAnswer(status) };
    case 'bare':
      return { content: bareFailureAnswer(status) };
    case 'text':
      return { content: status.message };
    case 'silent':
      return undefined;
  }
}
