import { OperatorError } from '@fenestra/kernel';

/** The releases of cloudbase-init whose behaviour is known, oldest first. */
export const CLOUDBASE_VERSIONS = ['1.1.4', '1.1.5', '1.1.6', '1.1.7', '1.1.8'] as const;

/** A release of cloudbase-init. */
export type CloudbaseVersion = (typeof CLOUDBASE_VERSIONS)[number];

/** What images are made with, unless somebody asks for more: what works with it works with all. */
export const OLDEST_VERSION: CloudbaseVersion = '1.1.4';

/** Where releases differ. */
export interface VersionTraits {
  /** Whether `{{ local_hostname }}` and `{{ instance_id }}` are known without a prefix. */
  readonly plainVariables: boolean;
  /** Whether a service may add to the metadata, as VMware's does with the machine's addresses. */
  readonly ownMetadata: boolean;
}

const BEFORE_1_1_7: VersionTraits = { plainVariables: false, ownMetadata: false };
const SINCE_1_1_7: VersionTraits = { plainVariables: true, ownMetadata: true };

const TRAITS: Readonly<Record<CloudbaseVersion, VersionTraits>> = {
  '1.1.4': BEFORE_1_1_7,
  '1.1.5': BEFORE_1_1_7,
  '1.1.6': BEFORE_1_1_7,
  '1.1.7': SINCE_1_1_7,
  '1.1.8': SINCE_1_1_7,
};

/** What a release does that others do not. */
export function cloudbaseTraits(version: CloudbaseVersion): VersionTraits {
  return TRAITS[version];
}

/** Reads a version as it is typed. Throws `USAGE` for one that is not known. */
export function requireCloudbaseVersion(text: string): CloudbaseVersion {
  const version = CLOUDBASE_VERSIONS.find((each) => each === text.replace(/^v/, ''));
  if (version !== undefined) return version;
  throw new OperatorError('USAGE', `Unknown cloudbase-init version "${text}"`, {
    hint: `Give one of ${CLOUDBASE_VERSIONS.join(', ')}.`,
  });
}
