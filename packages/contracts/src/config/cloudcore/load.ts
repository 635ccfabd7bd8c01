import type { LoadedConfig } from '../config-note.ts';
import { loadConfig } from '../reading/load-config.ts';
import { checkCloudcore } from './checks.ts';
import { ANY_CLOUD_HOST, cloudcoreDefaults, type CloudHost } from './defaults.ts';
import { CLOUDCORE_EFFECTS, cloudcoreRemarks } from './effects.ts';
import { CLOUDCORE_API_VERSIONS, CloudcoreConfig } from './schema.ts';

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
