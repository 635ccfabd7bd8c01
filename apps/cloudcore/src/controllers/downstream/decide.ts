import { isNewerVersion, NEVER_ACKNOWLEDGED } from '@fenestra/contracts';

/** The state of an object that was sent to a node last. */
export interface SentState {
  readonly version: string;
  readonly fingerprint: string | undefined;
}

/** The state of an object that can be sent. */
export interface PublishableState {
  readonly version: string;
  readonly fingerprint?: string;
}

/**
 * Whether to send an object: `skip` if this or a later version was sent, `note` if the node has the content already,
 * `first` if the node does not have the object, `update` if it has an older version.
 */
export type Decision = 'skip' | 'note' | 'first' | 'update';

/** Decides from what was sent in this session, or else from what the node acknowledged in earlier sessions. */
export function decide(object: PublishableState, sent: SentState | undefined, recorded: string | undefined): Decision {
  if (sent !== undefined) {
    if (!isNewerVersion(object.version, sent.version)) return 'skip';
    return object.fingerprint !== undefined && object.fingerprint === sent.fingerprint ? 'note' : 'update';
  }
  if (recorded === undefined || recorded === NEVER_ACKNOWLEDGED) return 'first';
  return isNewerVersion(object.version, recorded) ? 'update' : 'note';
}
