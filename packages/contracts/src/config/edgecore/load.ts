import type { LoadedConfig } from '../config-note.ts';
import { loadConfig } from '../reading/load-config.ts';
import { checkEdgecore } from './checks.ts';
import { ANY_EDGE_HOST, edgecoreDefaults, type EdgeHost } from './defaults.ts';
import type { NodeOs } from './edge-paths.ts';
import { EDGECORE_EFFECTS, edgecoreRemarks } from './effects.ts';
import { EDGECORE_API_VERSION, EdgecoreConfig } from './schema.ts';

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
