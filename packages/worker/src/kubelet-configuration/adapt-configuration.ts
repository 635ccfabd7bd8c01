import { win32 } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { NodeOs } from '@fenestra/contracts';
import { isMapping, type Mapping } from '@fenestra/contracts/reading';
import type { VersionTraits } from '../version-traits.ts';
import { type ClusterConfiguration, dnsAddress } from './cluster-configuration.ts';

/** Fills up what the cluster does not say as kubeadm does; what it says otherwise stays, with a warning. */
export function withKubeadmDefaults(config: Mapping, cluster: ClusterConfiguration, traits: VersionTraits): Adapted {
  const filled = defaultsFor(cluster, traits).reduce<Adapted>(withDefault, { config, warnings: [] });
  return forced(filled, ['rotateCertificates'], true);
}

type Default = readonly [Path, unknown];

function defaultsFor(cluster: ClusterConfiguration, { systemdCgroups }: VersionTraits): readonly Default[] {
  const dns = dnsAddress(cluster.serviceSubnet);
  return [
    [['staticPodPath'], '/etc/kubernetes/manifests'],
    ...(dns === undefined ? [] : [[['clusterDNS'], [dns]] satisfies Default]),
    [['clusterDomain'], cluster.dnsDomain],
    [['authentication', 'x509', 'clientCAFile'], `${cluster.certificatesDir}/ca.crt`],
    [['authentication', 'anonymous', 'enabled'], false],
    [['authentication', 'webhook', 'enabled'], true],
    [['authorization', 'mode'], 'Webhook'],
    [['healthzBindAddress'], '127.0.0.1'],
    [['healthzPort'], 10_248],
    ...(systemdCgroups ? [[['cgroupDriver'], 'systemd'] satisfies Default] : []),
  ];
}

function withDefault({ config, warnings }: Adapted, [path, value]: Default): Adapted {
  const given = valueIn(config, path);
  if (isEmpty(given)) return { config: withValue(config, path, value), warnings };
  if (isDeepStrictEqual(given, value)) return { config, warnings };
  return { config, warnings: [...warnings, `"${path.join('.')}" is not what kubeadm would set: ${shown(value)}`] };
}

function forced({ config, warnings }: Adapted, path: Path, value: unknown): Adapted {
  const given = valueIn(config, path);
  const isOther = !isEmpty(given) && given !== value;
  const warning = `"${path.join('.')}" was set to ${shown(value)}, as a worker needs it`;
  return { config: withValue(config, path, value), warnings: isOther ? [...warnings, warning] : warnings };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

/** Takes out what stops a kubelet of this system and version, with a warning for each. */
export function withoutUnusableFields(config: Mapping, os: NodeOs, traits: VersionTraits): Adapted {
  const reasons = new Map(
    Object.entries(config).flatMap(([field, value]) => {
      const reason = reasonAgainst(field, value, os, traits);
      return reason === undefined ? [] : [[field, reason] as const];
    }),
  );
  return {
    config: Object.fromEntries(Object.entries(config).filter(([field]) => !reasons.has(field))),
    warnings: [...reasons].map(([field, reason]) => `"${field}" was taken out: ${reason}`),
  };
}

/** A Windows kubelet refuses these even when they are switched off. */
const LINUX_ONLY = ['singleProcessOOMKill', 'userNamespaces'];

const ENDPOINTS = ['containerRuntimeEndpoint', 'imageServiceEndpoint'];
const FOREIGN: Readonly<Record<NodeOs, string>> = { linux: 'npipe:', windows: 'unix:' };
const REFUSED = 'a kubelet on Windows does not start with it';

function reasonAgainst(field: string, value: unknown, os: NodeOs, traits: VersionTraits): string | undefined {
  if (ENDPOINTS.includes(field) && typeof value === 'string' && value.startsWith(FOREIGN[os])) {
    return 'it names a container runtime of another system';
  }
  if (os === 'linux') return undefined;
  if (LINUX_ONLY.includes(field)) return REFUSED;
  return traits.windowsRefusesCgroups && isAboutCgroups(field, value) ? REFUSED : undefined;
}

function isAboutCgroups(field: string, value: unknown): boolean {
  if (field === 'cgroupsPerQOS') return value === true;
  return field === 'enforceNodeAllocatable' && Array.isArray(value) && value.length > 0;
}

const PATHS: readonly Path[] = [
  ['staticPodPath'],
  ['authentication', 'x509', 'clientCAFile'],
  ['volumePluginDir'],
  ['podLogsDir'],
  ['tlsCertFile'],
  ['tlsPrivateKeyFile'],
];

/** The configuration with all paths on one drive: otherwise the drive depends on where the kubelet runs. */
export function withPathsOnDrive(config: Mapping, drive: string): Mapping {
  return PATHS.reduce<Mapping>((result, path) => {
    const given = valueIn(result, path);
    return typeof given === 'string' && /^[\\/]/.test(given) ? withValue(result, path, onDrive(given, drive)) : result;
  }, config);
}

function onDrive(path: string, drive: string): string {
  return win32.normalize(`${drive}${path}`);
}

interface Adapted {
  readonly config: Mapping;
  readonly warnings: readonly string[];
}

type Path = readonly [string, ...string[]];

/** What is at a path; `undefined` if nothing is. */
export function valueIn(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (isMapping(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    config,
  );
}

function withValue(config: unknown, [key, ...rest]: Path, value: unknown): Mapping {
  const mapping = isMapping(config) ? config : {};
  const [next, ...others] = rest;
  const part = next === undefined ? value : withValue(valueIn(mapping, [key]), [next, ...others], value);
  return { ...mapping, [key]: part };
}
