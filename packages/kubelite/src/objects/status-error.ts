import type { JsonObject } from './json.ts';
import { resourceName, type ResourceRef } from './resource-kind.ts';

/** The machine-readable reasons Kubernetes clients look at. */
type StatusReason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InsufficientStorage'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType';

/** One thing wrong with one field. `reason` is Kubernetes' `FieldValueRequired`, `FieldValueInvalid` and so on. */
export interface FieldProblem {
  readonly field: string;
  readonly reason:
    | 'FieldManagerConflict'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueRequired'
    | 'FieldValueTooLong'
    | 'FieldValueTypeInvalid';
  /** `Required value: must not be empty`: begins as kubectl's users know it. */
  readonly message: string;
}

/** What a Status says besides its message. */
interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** A refusal that goes to an API client as a Kubernetes `Status`. It is an answer and not an operator's error. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: StatusReason, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The `Status` object. */
  toStatus(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      details: this.details && { ...this.details, causes: this.details.causes?.map((cause) => ({ ...cause })) },
      code: this.code,
    };
  }
}

/** 404 for one object. */
export function notFound(resource: ResourceRef, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${resourceName(resource)} "${name}" not found`, detailsOf(resource, name));
}

/** 404 for a path the API does not serve. kubectl knows this very sentence. */
export function pathNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 409 for a name that is taken. */
export function alreadyExists(resource: ResourceRef, name: string): StatusError {
  const message = `${resourceName(resource)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

/** 409 for a write based on a version that is no longer the newest. */
export function conflict(resource: ResourceRef, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

/** 403 with Kubernetes' sentence. */
export function forbidden(resource: ResourceRef, name: string, why: string): StatusError {
  const subject = name === '' ? resourceName(resource) : `${resourceName(resource)} "${name}"`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, detailsOf(resource, name));
}

/** 422 with every problem at once. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  problems: readonly FieldProblem[],
): StatusError {
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const list = problems.map((problem) => `${problem.field}: ${problem.message}`);
  const message = `${subject} "${name}" is invalid: ${list.length === 1 ? (list[0] ?? '') : `[${list.join(', ')}]`}`;
  return new StatusError(422, 'Invalid', message, { name, group: kind.group, kind: kind.kind, causes: problems });
}

/** 400. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** 405 for a verb the resource does not have. */
export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** 415 for a body the API does not read. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** 406 for an answer the API cannot give. */
export function notAcceptable(offered: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${offered.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', message);
}

/** 410: the history a watch or a page wants to go on from is no longer kept. */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

function detailsOf(resource: ResourceRef, name: string): { name?: string; group: string; kind: string } {
  return { ...(name === '' ? {} : { name }), group: resource.group, kind: resource.plural };
}
