import type { JsonObject } from '@fenestra/kernel';

/** A refusal in the form of the Kubernetes API. Thrown by handlers, answered as a `Status`. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  /** The body of the answer. */
  toStatus(): JsonObject {
    const { code, reason, message } = this;
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  }
}

/** There is no such object on this node. */
export function notFound(what: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${what} not found on this node`);
}

/** The request itself is wrong. */
export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message);
}

/** The place a follower wants to go on from is too long ago: it has to list again. */
export function tooOld(resourceVersion: string): ApiFailure {
  return new ApiFailure(410, 'Expired', `too old resource version: ${resourceVersion}`);
}
