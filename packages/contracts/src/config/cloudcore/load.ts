import { stringify } from 'yaml';
import { edgePaths } from '../edgecore/edge-paths.ts';
import { defaultsOf } from '../fields.ts';
import { loadConfig, type LoadedConfig } from '../reading/load-config.ts';
import type { FieldProblem } from '../reading/problem.ts';
import { CLOUDCORE_EFFECTS, cloudcoreRemarks } from './effects.ts';
import { CLOUDCORE_API_VERSIONS, CloudcoreConfig } from './schema.ts';

/** What the defaults take from the machine. */
export interface CloudHost {
  /** The addresses nodes reach this machine at; they go into the server's certificate. */
  readonly addresses: readonly string[];
}

const ANY_CLOUD_HOST: CloudHost = { addresses: [] };

/** KubeEdge's defaults for the cloud: what `cloudcore.yaml` means when it says nothing. */
export function cloudcoreDefaults({ addresses }: CloudHost = ANY_CLOUD_HOST): CloudcoreConfig {
  const machine = { os: 'linux', paths: edgePaths('linux'), hostName: '', cloudAddress: '' } as const;
  const { modules, ...rest } = defaultsOf(CloudcoreConfig, machine);
  const cloudHub = { ...modules.cloudHub, advertiseAddress: [...addresses] };
  return { ...rest, modules: { ...modules, cloudHub } };
}

/**
 * Reads the text of a `cloudcore.yaml` over the defaults. Throws one `CONFIG_INVALID` with every problem, each with
 * file, line and field; never anything else.
 */
export function loadCloudcoreConfig(
  text: string,
  fileName: string,
  host: CloudHost = ANY_CLOUD_HOST,
): LoadedConfig<CloudcoreConfig> {
  return loadConfig(text, fileName, {
    kind: 'CloudCore',
    apiVersions: CLOUDCORE_API_VERSIONS,
    schema: CloudcoreConfig,
    defaults: cloudcoreDefaults(host),
    check: checkCloudcore,
    effects: CLOUDCORE_EFFECTS,
    remarks: cloudcoreRemarks,
  });
}

/** What is wrong with the fields of a `cloudcore.yaml` taken together. */
function checkCloudcore({ modules }: CloudcoreConfig): readonly FieldProblem[] {
  const { enable, websocket, https, quic } = modules.cloudHub;
  if (!enable) return [];
  const path = 'modules.cloudHub';
  const problems: FieldProblem[] = [];
  if (!websocket.enable && quic.enable) {
    problems.push({ path: `${path}.quic.enable`, message: 'QUIC is not supported yet; enable websocket instead' });
  }
  if (websocket.enable && https.enable && websocket.port === https.port) {
    problems.push({ path: `${path}.https.port`, message: 'must differ from websocket.port' });
  }
  return problems;
}

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
