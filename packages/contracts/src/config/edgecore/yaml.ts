import { stringify } from 'yaml';
import { edgecoreDefaults, ANY_EDGE_HOST, type EdgeHost } from './defaults.ts';
import type { NodeOs } from './edge-paths.ts';

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
