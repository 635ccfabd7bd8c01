import { isNewerVersion, NEVER_ACKNOWLEDGED } from '@fenestra/contracts';

/** The last that was said to a node about an object. */
export interface Told {
  readonly version: string;
  readonly fingerprint: string | undefined;
}

/** What there is to say about an object. */
export interface Sayable {
  readonly version: string;
  readonly fingerprint?: string;
}

/**
 * Whether a node has to be told: `skip` if it was told this or later, `note` if it has what matters already,
 * `first` if it knows nothing of the object, `update` if it knows an older version.
 */
export type Decision = 'skip' | 'note' | 'first' | 'update';

/** Decides from what was said in this session, and where nothing was, from what the node acknowledged in earlier ones. */
export function decide(object: Sayable, told: Told | undefined, recorded: string | undefined): Decision {
  if (told !== undefined) {
    if (!isNewerVersion(object.version, told.version)) return 'skip';
    return object.fingerprint !== undefined && object.fingerprint === told.fingerprint ? 'note' : 'update';
  }
  if (recorded === undefined || recorded === NEVER_ACKNOWLEDGED) return 'first';
  return isNewerVersion(object.version, recorded) ? 'update' : 'note';
}
