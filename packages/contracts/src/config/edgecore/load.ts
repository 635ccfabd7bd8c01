import { stringify } from 'yaml';
import { defaultsOf } from '../fields.ts';
import { loadConfig, type LoadedConfig } from '../reading/load-config.ts';
import type { FieldProblem } from '../reading/problem.ts';
import { checkEviction } from './check-eviction.ts';
import { edgePaths, type NodeOs } from './edge-paths.ts';
import { EDGECORE_EFFECTS, edgecoreRemarks } from './effects.ts';
import { EDGECORE_API_VERSION, EdgecoreConfig } from './schema.ts';

/** What the defaults take from the machine rather than from its system. */
export interface EdgeHost {
  /** The machine's name; empty leaves the choice to the agent, which takes the machine's name in lower case. */
  readonly hostName: string;
  /** The address the cloud is expected at, without a port. */
  readonly cloudAddress: string;
}

const ANY_EDGE_HOST: EdgeHost = { hostName: '', cloudAddress: '127.0.0.1' };

/** KubeEdge's defaults for a node on this system: what `edgecore.yaml` means when it says nothing. */
export function edgecoreDefaults(os: NodeOs, host: EdgeHost = ANY_EDGE_HOST): EdgecoreConfig {
  return defaultsOf(EdgecoreConfig, { os, paths: edgePaths(os), ...host });
}

/**
 * Reads the text of an `edgecore.yaml` over the system's defaults. Throws one `CONFIG_INVALID` with every problem,
 * each with file, line and field; never anything else.
 */
export function loadEdgecoreConfig(
  text: string,
  fileName: string,
  os: NodeOs,
  host: EdgeHost = ANY_EDGE_HOST,
): LoadedConfig<EdgecoreConfig> {
  return loadConfig(text, fileName, {
    kind: 'EdgeCore',
    apiVersions: [EDGECORE_API_VERSION],
    schema: EdgecoreConfig,
    defaults: edgecoreDefaults(os, host),
    check: (config) => checkEdgecore(config, os),
    effects: EDGECORE_EFFECTS,
    remarks: edgecoreRemarks,
  });
}

/** What is wrong with the fields of an `edgecore.yaml` taken together. */
function checkEdgecore({ modules }: EdgecoreConfig, os: NodeOs): readonly FieldProblem[] {
  return [...checkTransport(modules.edgeHub), ...checkEdged(modules.edged, os)];
}

function checkTransport({ enable, websocket, quic }: EdgecoreConfig['modules']['edgeHub']): readonly FieldProblem[] {
  if (!enable) return [];
  const path = 'modules.edgeHub.quic.enable';
  if (quic.enable && websocket.enable) return [{ path, message: 'must be false where websocket.enable is true' }];
  if (quic.enable) return [{ path, message: 'QUIC is not supported yet; enable websocket instead' }];
  return websocket.enable ? [] : [{ path: 'modules.edgeHub.websocket.enable', message: 'must be true' }];
}

function checkEdged(edged: EdgecoreConfig['modules']['edged'], os: NodeOs): readonly FieldProblem[] {
  if (!edged.enable) return [];
  const path = 'modules.edged.tailoredKubeletConfig';
  const { cgroupDriver, imageGCHighThresholdPercent, imageGCLowThresholdPercent } = edged.tailoredKubeletConfig;
  const problems: FieldProblem[] = [];
  if (os === 'linux' && !['cgroupfs', 'systemd'].includes(cgroupDriver)) {
    problems.push({ path: `${path}.cgroupDriver`, message: 'must be "cgroupfs" or "systemd"' });
  }
  if (imageGCLowThresholdPercent >= imageGCHighThresholdPercent) {
    problems.push({
      path: `${path}.imageGCLowThresholdPercent`,
      message: 'must be less than imageGCHighThresholdPercent',
    });
  }
  return [...problems, ...checkEviction(path, edged.tailoredKubeletConfig)];
}

const FULL = `# Every setting of edgecore with its default. What you leave out keeps its default, so delete what you do not change.
# The reference is docs/reference/config.md.
`;

const MINIMAL = `# The settings of edgecore that most nodes need. "edgecore --defaultconfig" prints all of them.
`;

/** What `edgecore --defaultconfig` prints: a file that changes nothing. */
export function defaultEdgecoreYaml(os: NodeOs, host: EdgeHost = ANY_EDGE_HOST): string {
  return `${FULL}${stringify(edgecoreDefaults(os, host), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** What `edgecore --minconfig` prints: the few settings that differ from node to node. */
export function minimalEdgecoreYaml(os: NodeOs, host: EdgeHost = ANY_EDGE_HOST): string {
  const { apiVersion, kind, database, modules } = edgecoreDefaults(os, host);
  const { heartbeat, tlsCaFile, tlsCertFile, tlsPrivateKeyFile, httpServer, token, websocket } = modules.edgeHub;
  const { hostnameOverride, nodeIP, nodeLabels, tailoredKubeletConfig } = modules.edged;
  const { containerRuntimeEndpoint } = tailoredKubeletConfig;
  const minimal = {
    apiVersion,
    kind,
    database: { dataSource: database.dataSource },
    modules: {
      edgeHub: {
        heartbeat,
        httpServer,
        token,
        tlsCaFile,
        tlsCertFile,
        tlsPrivateKeyFile,
        websocket: { enable: websocket.enable, server: websocket.server },
      },
      edged: { hostnameOverride, nodeIP, nodeLabels, tailoredKubeletConfig: { containerRuntimeEndpoint } },
    },
  };
  return `${MINIMAL}${stringify(minimal, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
