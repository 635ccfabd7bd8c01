import type { StartFailure } from '@fenestra/pods';

/** Why something of a pod could not be started, as its status reports it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** As the status of a container gives it, such as `ErrImagePull`. */
  readonly reason: string;
  /** When to try again, in milliseconds since 1970; absent where a usual pause is enough. */
  readonly retryAt: number | undefined;

  constructor(reason: string, message: string, retryAt?: number) {
    super(message);
    this.reason = reason;
    this.retryAt = retryAt;
  }

  static of({ reason, message, retryAt }: StartFailure): StartError {
    return new StartError(reason, message, retryAt);
  }
}
