import { OperatorError } from '@fenestra/kernel';
import type { ServiceName } from './service.ts';

/** The releases of cloudbase-init whose behaviour is known, oldest first. */
export const CLOUDBASE_VERSIONS = ['1.1.4', '1.1.5', '1.1.6', '1.1.7', '1.1.8'] as const;

/** A release of cloudbase-init. */
export type CloudbaseVersion = (typeof CLOUDBASE_VERSIONS)[number];

/** What images are made with, unless someone asks for more: what works with it works with all. */
export const OLDEST_VERSION: CloudbaseVersion = '1.1.4';

/**
 * The releases that know `{{ local_hostname }}` and `{{ instance_id }}` without a prefix, and whose services may add to
 * the metadata, as VMware's does with the machine's addresses.
 */
const LATER_RELEASES: readonly CloudbaseVersion[] = ['1.1.7', '1.1.8'];

/** Reads a version as it is typed. Throws `USAGE` for one that is not known. */
export function requireCloudbaseVersion(text: string): CloudbaseVersion {
  const version = CLOUDBASE_VERSIONS.find((each) => each === text.replace(/^v/, ''));
  if (version !== undefined) return version;
  throw new OperatorError('USAGE', `Unknown cloudbase-init version "${text}"`, {
    hint: `Give one of ${CLOUDBASE_VERSIONS.join(', ')}.`,
  });
}

/** What a template can find in the data of the machine. */
export type VariableFate = 'present' | 'maybe' | 'missing' | 'fails';

/** What the answer depends on. */
export interface InstanceKnowledge {
  readonly version: CloudbaseVersion;
  readonly service: ServiceName | undefined;
}

const STANDARD = ['instance_id', 'local_hostname', 'public_ssh_keys'];
const METADATA = [...STANDARD, 'hostname'];
/** Both as plain names, and with a dash below `ds.meta_data`. */
const LATER = ['instance_id', 'local_hostname'];
const LATER_METADATA = ['instance-id', 'local-hostname'];
const ADDRESSES = ['local_ipv4', 'local_ipv6', 'local-ipv4', 'local-ipv6', 'network'];

/** Whether a variable, given by its names from the outermost on, has a value in this release. */
export function instanceVariable(names: readonly string[], { version, service }: InstanceKnowledge): VariableFate {
  const [first = '', second, ...rest] = names;
  const isLater = LATER_RELEASES.includes(version);
  if (first === 'v1') return second === undefined ? 'present' : standardFate(second, rest, isLater);
  if (first === 'ds') return metadataFate([second, ...rest], isLater, service);
  if (!isLater || !LATER.includes(first)) return absent(names.length - 1);
  return second === undefined ? 'present' : absent(names.length - 2);
}

/** Jinja fails at a member of an undefined value. */
function absent(deeper: number): VariableFate {
  return deeper > 0 ? 'fails' : 'missing';
}

function standardFate(name: string, rest: readonly string[], isLater: boolean): VariableFate {
  if (STANDARD.includes(name)) return rest.length > 0 ? 'maybe' : 'present';
  return isLater && rest.length === 0 ? 'maybe' : absent(rest.length);
}

function metadataFate(
  [group, name, ...rest]: readonly (string | undefined)[],
  isLater: boolean,
  service: ServiceName | undefined,
): VariableFate {
  if (group === undefined) return 'present';
  if (group !== 'meta_data') return absent(name === undefined ? 0 : 1);
  if (name === undefined) return 'present';
  if (METADATA.includes(name)) return rest.length > 0 ? 'maybe' : 'present';
  if (LATER_METADATA.includes(name)) return isLater ? 'present' : absent(rest.length);
  if (!isLater) return absent(rest.length);
  if (!ADDRESSES.includes(name)) return 'maybe';
  return service === undefined || service === 'vmware' ? 'present' : absent(rest.length);
}
