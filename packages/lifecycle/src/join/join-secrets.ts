/** The name under which a run holds the join token. */
export const TOKEN_SECRET = 'join-token';
