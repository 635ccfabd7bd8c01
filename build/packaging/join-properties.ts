/** What an installer can be told so that the machine joins, and the flag of `keadm join` that each becomes. */
export const JOIN_PROPERTIES: Readonly<Record<string, string>> = {
  CLOUDCORE_IP: 'cloudcore-ip',
  HUB_PORT: 'hub-port',
  CERT_PORT: 'certport',
  NODE_NAME: 'edgenode-name',
  LABELS: 'labels',
  CONFIG_FILE: 'config',
  TOKEN_FILE: 'token-file',
};

/** The token itself, where an installer can keep it out of its log. */
export const TOKEN_PROPERTY = 'TOKEN';

/** What an uninstaller can be told: to take the node off the machine, too. */
export const RESET_PROPERTY = 'RESET_NODE';

/** The arguments for `keadm installer placed`, each value as `valueOf` writes it, in double quotes. */
export function joinArguments(valueOf: (property: string) => string): string {
  return Object.entries(JOIN_PROPERTIES)
    .map(([property, flag]) => `--${flag} "${valueOf(property)}"`)
    .join(' ');
}
