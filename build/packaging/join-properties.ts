import { JOIN_PROPERTIES } from '../../apps/keadm/src/commands/installer/properties.ts';

/** The words for `keadm installer placed`, each value as `valueOf` writes it, in double quotes. */
export function joinWords(valueOf: (property: string) => string): string {
  return Object.keys(JOIN_PROPERTIES)
    .map((name) => `"${name}=${valueOf(name)}"`)
    .join(' ');
}
