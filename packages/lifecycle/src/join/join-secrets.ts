/** The name under which a run holds the configuration it writes. */
export const CONFIGURATION_SECRET = 'configuration';

/** The name under which a run holds the join token. */
export const TOKEN_SECRET = 'join-token';
