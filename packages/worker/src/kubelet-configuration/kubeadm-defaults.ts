import { isDeepStrictEqual } from 'node:util';
import type { Mapping } from '@fenestra/contracts/reading';
import type { ClusterConfiguration } from './cluster-configuration.ts';
import type { VersionTraits } from '../version/version-traits.ts';
import type { Adapted } from './adapted.ts';
import { valueIn, withValue, type Path } from './path-in.ts';
import { dnsAddress } from './service-address.ts';

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
