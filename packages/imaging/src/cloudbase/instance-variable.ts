import type { ServiceName } from './service.ts';
import { cloudbaseTraits, type CloudbaseVersion, type VersionTraits } from './version.ts';

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
  const traits = cloudbaseTraits(version);
  if (first === 'v1') return second === undefined ? 'present' : standardFate(second, rest, traits);
  if (first === 'ds') return metadataFate(second, rest, { version, service });
  if (!traits.plainVariables || !LATER.includes(first)) return absent(names.length - 1);
  return second === undefined ? 'present' : absent(names.length - 2);
}

/** A member of nothing cannot be asked for members of its own. */
function absent(deeper: number): VariableFate {
  return deeper > 0 ? 'fails' : 'missing';
}

function standardFate(name: string, rest: readonly string[], { ownMetadata }: VersionTraits): VariableFate {
  if (STANDARD.includes(name)) return rest.length > 0 ? 'maybe' : 'present';
  return ownMetadata && rest.length === 0 ? 'maybe' : absent(rest.length);
}

function metadataFate(
  group: string | undefined,
  [name, ...rest]: readonly string[],
  { version, service }: InstanceKnowledge,
): VariableFate {
  const { plainVariables, ownMetadata } = cloudbaseTraits(version);
  if (group === undefined) return 'present';
  if (group !== 'meta_data') return absent(name === undefined ? 0 : 1);
  if (name === undefined) return 'present';
  if (METADATA.includes(name)) return rest.length > 0 ? 'maybe' : 'present';
  if (LATER_METADATA.includes(name)) return plainVariables ? 'present' : absent(rest.length);
  if (!ownMetadata) return absent(rest.length);
  if (!ADDRESSES.includes(name)) return 'maybe';
  return service === undefined || service === 'vmware' ? 'present' : absent(rest.length);
}
