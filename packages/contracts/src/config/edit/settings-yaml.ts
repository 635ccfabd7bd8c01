import { stringify } from 'yaml';
import { redactConfig } from './secret-fields.ts';

/** Settings as people read them, with every secret masked. */
export function settingsYaml(settings: unknown): string {
  return stringify(redactConfig(settings), { lineWidth: 0, aliasDuplicateObjects: false });
}
