import { joinArguments, RESET_PROPERTY } from '../join-properties.ts';

const PREFIX = 'FENESTRA_';

/** The scripts that dpkg runs, by name. All they do is call the program; what they are told comes by variables. */
export function debianScripts(): Readonly<Record<'postinst' | 'prerm', string>> {
  const given = joinArguments((property) => `\${${PREFIX}${property}:-}`);
  return {
    postinst: script('configure', `keadm installer placed ${given}`),
    prerm: script('remove', `keadm installer leaving --reset-node "\${${PREFIX}${RESET_PROPERTY}:-}"`),
  };
}

function script(occasion: string, command: string): string {
  return `#!/bin/sh\nset -e\nif [ "$1" = ${occasion} ]; then\n  ${command}\nfi\n`;
}
