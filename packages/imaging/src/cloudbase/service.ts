import { gunzipSync } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';

/** How user-data gets to a machine: one of cloudbase-init's metadata services. */
export interface MetadataService {
  readonly name: ServiceName;
  /** As people call it. */
  readonly title: string;
  /** The most bytes that the platform accepts, before it encodes them; `undefined` without a limit. */
  readonly mostBytes: number | undefined;
  /** Whether data that is packed with gzip is unpacked on arrival. */
  readonly unpacksGzip: boolean;
  /** Whether the platform has a secret store that a machine can read without a secret. */
  readonly hasSecretStore: boolean;
}

/** The services by the names they are given on the command line. */
export const SERVICE_NAMES = ['azure', 'ec2', 'vmware', 'configdrive', 'nocloud', 'openstack', 'gce'] as const;

/** The name of a service. */
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** OpenStack counts 65,535 characters of base64. */
const OPENSTACK_BYTES = 49_149;

const SERVICES: Readonly<Record<ServiceName, Omit<MetadataService, 'name'>>> = {
  azure: { title: "Azure's custom data", mostBytes: 65_535, unpacksGzip: false, hasSecretStore: true },
  ec2: { title: "EC2's user data", mostBytes: 16_384, unpacksGzip: true, hasSecretStore: true },
  vmware: { title: "VMware's guestinfo", mostBytes: 49_149, unpacksGzip: true, hasSecretStore: true },
  configdrive: { title: 'a config drive', mostBytes: OPENSTACK_BYTES, unpacksGzip: true, hasSecretStore: false },
  nocloud: { title: 'a NoCloud drive', mostBytes: undefined, unpacksGzip: true, hasSecretStore: false },
  openstack: { title: "OpenStack's user data", mostBytes: OPENSTACK_BYTES, unpacksGzip: true, hasSecretStore: false },
  gce: { title: "Compute Engine's metadata", mostBytes: 262_144, unpacksGzip: true, hasSecretStore: false },
};

/** All there is to know of a service. */
export function metadataService(name: ServiceName): MetadataService {
  return { name, ...SERVICES[name] };
}

/** Reads a service as it is typed. Throws `USAGE` for one that is not known. */
export function requireService(text: string): MetadataService {
  const name = SERVICE_NAMES.find((each) => each === text.toLowerCase());
  if (name !== undefined) return metadataService(name);
  throw new OperatorError('USAGE', `Unknown metadata service "${text}"`, {
    hint: `Give one of ${SERVICE_NAMES.join(', ')}.`,
  });
}

/** What the machine has after the metadata service has done its part. */
export type Delivered =
  | { readonly kind: 'text'; readonly text: string; readonly unpacked: boolean }
  | { readonly kind: 'empty' }
  | { readonly kind: 'packed'; readonly reason: 'service' | 'broken' }
  | { readonly kind: 'not-text' };

/** Larger content is not user-data but a decompression bomb. */
const MOST_UNPACKED = 16 * 1_048_576;

/** Unpacks and decodes user-data as the service and then the plugin do. */
export function deliver(bytes: Uint8Array, service: MetadataService | undefined): Delivered {
  if (bytes.length === 0) return { kind: 'empty' };
  if (!isGzip(bytes)) return decoded(bytes, false);
  if (service !== undefined && !service.unpacksGzip) return { kind: 'packed', reason: 'service' };
  try {
    return decoded(gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }), true);
  } catch {
    return { kind: 'packed', reason: 'broken' };
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function decoded(bytes: Uint8Array, unpacked: boolean): Delivered {
  if (bytes.length === 0) return { kind: 'empty' };
  try {
    // A mark of the byte order is kept: it hides the first line from cloudbase-init.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: 'text', text, unpacked };
  } catch {
    return { kind: 'not-text' };
  }
}
