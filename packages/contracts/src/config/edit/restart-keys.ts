import type { EdgecoreConfig } from '../edgecore/schema.ts';
import { diffConfig } from './diff-config.ts';

/**
 * What a running agent holds on to: its log and its status lie beside the database, and all it has told the cloud was
 * told under its name. Everything else it takes up by a reload.
 */
const RESTART_KEYS: readonly string[] = ['database.dataSource', 'modules.edged.hostnameOverride'];

/** The changed settings that the running agent cannot take up without a restart. */
export function restartKeys(before: EdgecoreConfig, after: EdgecoreConfig): readonly string[] {
  return diffConfig(before, after)
    .map(({ path }) => path)
    .filter((path) => RESTART_KEYS.includes(path));
}
