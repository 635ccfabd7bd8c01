import type { KubeletEvent, StartFailure } from '@fenestra/pods';

/** Why something of a pod could not be started, as its status reports it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** As the status of a container gives it, such as `ErrImagePull`. */
  readonly reason: string;
  /** When to try again, in milliseconds since 1970; absent where a usual pause is enough. */
  readonly retryAt: number | undefined;
  /** What an event says about it, where that is not the same as for any other failed start. */
  readonly event: KubeletEvent | undefined;

  constructor(
    reason: string,
    message: string,
    more: { readonly retryAt?: number; readonly event?: KubeletEvent } = {},
  ) {
    super(message);
    this.reason = reason;
    this.retryAt = more.retryAt;
    this.event = more.event;
  }

  static of({ reason, message, retryAt }: StartFailure, event?: KubeletEvent): StartError {
    return new StartError(reason, message, { retryAt, ...(event !== undefined && { event }) });
  }
}
