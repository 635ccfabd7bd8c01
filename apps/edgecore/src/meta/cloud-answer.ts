import { type ApiStatus, type Message, OK, OPERATIONS, readObjectAnswer, toJson } from '@fenestra/contracts';
import { isKubeObject, type KubeObject } from './kube-object.ts';

/** What the cloud made of a request: the object as it is now, a plain yes, or why not. */
export type CloudAnswer =
  | { readonly outcome: 'object'; readonly object: KubeObject }
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failure'; readonly status: ApiStatus };

/** Reads the cloud's answer to a request. */
export function readAnswer({ content, route }: Message): CloudAnswer {
  if (content === OK) return { outcome: 'done' };
  if (route.operation === OPERATIONS.error) return failure(typeof content === 'string' ? content : 'no reason given');
  const answer = readObjectAnswer(content);
  if (answer.outcome === 'failure') return answer;
  const object = toJson(answer.object);
  return isKubeObject(object) ? { outcome: 'object', object } : failure('the object has no name');
}

/** The answer to a request in the form in which it is stored: as a response, under what was asked about. */
export function asAnswerTo({ route }: Message, answer: Message): Message {
  return { ...answer, route: { ...answer.route, operation: OPERATIONS.response, resource: route.resource } };
}

/** Whether the cloud refused permanently: asking the same again cannot succeed. */
export function isFinal({ code = 500 }: ApiStatus): boolean {
  return code >= 400 && code < 500 && code !== TOO_MANY_REQUESTS && code !== REQUEST_TIMEOUT;
}

/** Whether what the request was about does not exist. */
export function isNotFound({ code, reason }: ApiStatus): boolean {
  return code === 404 || reason === 'NotFound';
}

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

function failure(message: string): CloudAnswer {
  return { outcome: 'failure', status: { status: 'Failure', message } };
}
