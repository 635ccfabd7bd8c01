import { RESET_PROPERTY } from '../../../apps/keadm/src/commands/installer/properties.ts';
import { joinWords } from '../join-properties.ts';

const PREFIX = 'FENESTRA_';
/** By its whole path: an earlier one on the search path may be of another version. */
const PROGRAM = '/usr/bin/keadm';

/** The scripts that dpkg runs, by name. All they do is call the program; their settings come by variables. */
export function debianScripts(): Readonly<Record<'postinst' | 'prerm', string>> {
  const given = joinWords((property) => `\${${PREFIX}${property}:-}`);
  return {
    postinst: script('configure', `${PROGRAM} installer placed -- ${given}`),
    prerm: script('remove', `${PROGRAM} installer leaving -- "${RESET_PROPERTY}=\${${PREFIX}${RESET_PROPERTY}:-}"`),
  };
}

function script(occasion: string, command: string): string {
  return `#!/bin/sh\nset -e\nif [ "$1" = ${occasion} ]; then\n  ${command}\nfi\n`;
}
