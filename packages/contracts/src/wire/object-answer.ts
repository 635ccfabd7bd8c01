import type { Json } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { objectIdentity } from './object-identity.ts';
import { anyJson, KubernetesObject, looseObject } from './payloads.ts';

/** A Kubernetes API's refusal. */
export const ApiStatus = looseObject({
  status: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
  code: z.exactOptional(z.int()),
});
export type ApiStatus = z.infer<typeof ApiStatus>;

/** What came of a request: the object as it is now, or why not. */
type ObjectOutcome =
  | { readonly outcome: 'object'; readonly object: KubernetesObject }
  | { readonly outcome: 'failure'; readonly status: ApiStatus };

/** Cloud side: the answer that carries an object. `Err` has to be null: an agent takes anything else for a failure. */
export function objectAnswer(object: Json): Json {
  return { Object: object, Err: null };
}

/** Cloud side: the answer that carries a failure, in the one form that no agent mistakes for success. */
export function failureAnswer(status: ApiStatus): Json {
  return { Object: null, Err: { ErrStatus: failed(status) } };
}

/** Cloud side: the failed answer to a query whose answer is the bare object. */
export function bareFailureAnswer(status: ApiStatus): Json {
  return { ErrStatus: failed(status) };
}

/**
 * Node side: reads either form of answer. Upstream writes failures that are not API refusals as an empty object, so an
 * answer without a named object counts as a failure here.
 */
export function readObjectAnswer(content: Json): ObjectOutcome {
  const wrapped = Wrapped.safeParse(content);
  if (!wrapped.success) return readFailure(content) ?? readObject(content);
  const { Object: object, Err: error = null } = wrapped.data;
  return error === null ? readObject(object ?? null) : (readFailure(error) ?? unexplained());
}

const Wrapped = looseObject({ Object: anyJson, Err: z.exactOptional(anyJson) });
const Refusal = looseObject({ ErrStatus: ApiStatus });

function failed(status: ApiStatus): ApiStatus {
  return { ...status, status: 'Failure' };
}

function readFailure(error: Json): ObjectOutcome | undefined {
  if (typeof error === 'string') return { outcome: 'failure', status: { status: 'Failure', message: error } };
  const refusal = Refusal.safeParse(error);
  return refusal.success ? { outcome: 'failure', status: refusal.data.ErrStatus } : undefined;
}

function readObject(content: Json): ObjectOutcome {
  const object = KubernetesObject.safeParse(content);
  const isNamed = objectIdentity(content)?.name !== undefined;
  return object.success && isNamed ? { outcome: 'object', object: object.data } : unexplained();
}

function unexplained(): ObjectOutcome {
  const message = 'The answer contains neither an object nor a reason';
  return { outcome: 'failure', status: { status: 'Failure', reason: 'Unknown', message } };
}
