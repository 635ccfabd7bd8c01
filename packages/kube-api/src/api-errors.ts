import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, isJsonObject, type JsonObject, OperatorError, stringAt } from '@fenestra/kernel';

/** Kubernetes' own account of a failure, the object of kind `Status`. */
interface ApiStatus extends JsonObject {
  readonly status: 'Failure';
  readonly reason: string;
  readonly message: string;
  readonly code: number;
}

class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus) {
    super(status.message);
    this.status = status;
  }
}

/** What a server answered with 400 or more, as a catalogue error. `action` completes "Cannot …". */
export function refusedError(action: string, httpStatus: number, body: string): OperatorError {
  const status = readStatus(httpStatus, body);
  const { code, hint } = meaningOf(status.code);
  const cause = new ApiStatusError(status);
  const details = { httpStatus: status.code, reason: status.reason };
  return new OperatorError(code, `Cannot ${action}`, { hint, cause, details });
}

/** No one answered, or the answer broke off. */
export function unreachableError(action: string, cause: unknown): OperatorError {
  return new OperatorError('API_UNREACHABLE', `Cannot ${action}: the Kubernetes API does not answer`, {
    hint: 'Check that the API server runs, and that its address and CA in the kubeconfig are right.',
    cause,
  });
}

/** Any failure in Kubernetes' own words, so that it can be handed to a node. What is not from a server counts as "unavailable". */
export function statusOf(error: unknown): ApiStatus {
  if (error instanceof OperatorError && error.cause instanceof ApiStatusError) return error.cause.status;
  const message = error instanceof Error ? error.message : 'unknown failure';
  return failureStatus(503, 'ServiceUnavailable', message);
}

/** A failure that never was at a server, in Kubernetes' words. */
export function failureStatus(code: number, reason: string, message: string): ApiStatus {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** The server no longer knows the version asked for: list again. */
export function isGone(error: unknown): boolean {
  return statusOf(error).code === 410;
}

function readStatus(httpStatus: number, body: string): ApiStatus {
  const answer = parse(body);
  const reason = stringAt(answer, 'reason') || 'Unknown';
  const message = stringAt(answer, 'message') || `the server answered ${httpStatus}`;
  const code = typeof answer['code'] === 'number' ? answer['code'] : httpStatus;
  return { ...answer, ...failureStatus(code, reason, message), ...metadataOf(answer) };
}

function metadataOf(answer: JsonObject): JsonObject {
  return isJsonObject(answer['metadata']) ? { metadata: answer['metadata'] } : {};
}

function parse(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && value['kind'] === 'Status' ? value : {};
  } catch {
    return {};
  }
}

function meaningOf(httpStatus: number): { readonly code: ErrorCode; readonly hint: string } {
  switch (httpStatus) {
    case 401:
      return { code: 'API_FORBIDDEN', hint: 'Use a kubeconfig whose credentials are valid for this cluster.' };
    case 403:
      return { code: 'API_FORBIDDEN', hint: 'Give this account the rights the message names.' };
    case 404:
      return { code: 'API_NOT_FOUND', hint: 'Check the name, and that the definition of its kind is installed.' };
    case 409:
      return { code: 'API_CONFLICT', hint: 'Read the object again, then repeat the change.' };
    case 507:
      return { code: 'API_FAILED', hint: 'Free some space on the disk of the cloud, then try again.' };
    default:
      return httpStatus === 429 || httpStatus >= 500
        ? { code: 'API_FAILED', hint: 'Wait until the API server is healthy, then try again.' }
        : { code: 'API_REFUSED', hint: 'Correct what the message names, then try again.' };
  }
}

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** How long to wait before the next try: doubles from a quarter of a second to half a minute, less a random part of up to half. */
export function jitteredBackoff(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(failures, 20), LONGEST_MS);
  return Math.round(longest * (1 - random() / 2));
}

/** Waits, or returns early when the signal aborts: the caller looks at the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
