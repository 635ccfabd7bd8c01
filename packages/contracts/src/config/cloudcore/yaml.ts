import { stringify } from 'yaml';
import { ANY_CLOUD_HOST, cloudcoreDefaults, type CloudHost } from './defaults.ts';

const FULL = `# Every setting of cloudcore with its default. What you leave out keeps its default, so delete what you do not change.
# The reference is docs/reference/config.md.
`;

const MINIMAL = `# The settings of cloudcore that most clouds need. "cloudcore --defaultconfig" prints all of them.
`;

/** What `cloudcore --defaultconfig` prints: a file that changes nothing. */
export function defaultCloudcoreYaml(host: CloudHost = ANY_CLOUD_HOST): string {
  return `${FULL}${stringify(cloudcoreDefaults(host), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** What `cloudcore --minconfig` prints: the few settings that differ from cloud to cloud. */
export function minimalCloudcoreYaml(host: CloudHost = ANY_CLOUD_HOST): string {
  const { apiVersion, kind, kubeAPIConfig, modules } = cloudcoreDefaults(host);
  const { nodeLimit, advertiseAddress, websocket, https } = modules.cloudHub;
  const { master, kubeConfig } = kubeAPIConfig;
  const minimal = {
    apiVersion,
    kind,
    kubeAPIConfig: { master, kubeConfig },
    modules: { cloudHub: { nodeLimit, advertiseAddress, websocket, https } },
  };
  return `${MINIMAL}${stringify(minimal, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
