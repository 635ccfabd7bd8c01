import { nextBackoff, type BackoffEntry } from '../backoff.ts';
import type { StartFailure } from '../facts.ts';
import type { Container } from '../pod/container-fields.ts';

/** Whether to pull an image, to use the one that is present, or to refuse the start. */
export type PullDecision = 'pull' | 'use-present' | 'refuse';

/** What to do about the image of a container before it starts. */
export function pullDecision({ imagePullPolicy }: Container, isPresent: boolean): PullDecision {
  if (imagePullPolicy === 'Always') return 'pull';
  if (isPresent) return 'use-present';
  return imagePullPolicy === 'Never' ? 'refuse' : 'pull';
}

/** The failure of a container whose image may not be pulled and is not present. */
export function absentImage({ image }: Container, now: number): StartFailure {
  const message = `Container image "${image}" is not present with pull policy of Never`;
  return failedStart('ErrImageNeverPull', message, now);
}

const START_RETRY_MS = 10_000;

/** A start that failed for another reason than its image. */
export function failedStart(reason: string, message: string, now: number): StartFailure {
  return { reason, message, at: now, retryAt: now + START_RETRY_MS };
}

/** The wait after a failed pull: the entry is kept by pod and image until a pull succeeds. */
export function failedPull(
  image: string,
  message: string,
  entry: BackoffEntry | undefined,
  now: number,
): { readonly failure: StartFailure; readonly backoff: BackoffEntry } {
  const backoff = nextBackoff(entry, image, now, now);
  return { failure: { reason: pullReason(message), message, at: now, retryAt: now + backoff.delayMs }, backoff };
}

/** How long a failed pull is shown before the wait for the next one. */
const PULL_ERROR_SHOWN_MS = 1000;

/** Reasons that are shown as the wait for the next pull after a moment. */
const PULL_FAILURES: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** When the error of a pull is to be shown as the wait for the next one; undefined for other failures. */
export function pullErrorEnd({ reason, at }: StartFailure): number | undefined {
  return PULL_FAILURES.has(reason) ? at + PULL_ERROR_SHOWN_MS : undefined;
}

/** What the status shows for the error of a runtime. */
function pullReason(message: string): string {
  const known = ['RegistryUnavailable', 'SignatureValidationFailed'];
  return known.find((reason) => message.startsWith(reason)) ?? 'ErrImagePull';
}

/** Errors of Go: `dial tcp` begins those of connections and of names that cannot be resolved. */
const UNREACHABLE =
  /\b(?:dial|read|write) tcp\b|TLS handshake timeout|i\/o timeout|connection re(?:set|fused)|deadline exceeded/;

/** Whether the error of a pull says that the registry did not answer, rather than that it refused. */
export function isRegistryUnreachable(message: string): boolean {
  return UNREACHABLE.test(message);
}
