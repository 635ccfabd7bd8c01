/** What nobody may find in an image: each machine that is made from it would have it. */
const SECRETS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { kind: 'the key of a kubeconfig', pattern: /^\s*client-key-data:\s*\S/m },
  { kind: 'the token of a kubeconfig', pattern: /^\s*-?\s*token:\s*["']?[\w-]{6,}/m },
  { kind: 'a bootstrap token', pattern: /token["']?[\s:=]+["']?[a-z0-9]{6}\.[a-z0-9]{16}\b/i },
  { kind: 'a join token', pattern: /\b[0-9a-f]{64}\.eyJ[\w-]{10,}/ },
  {
    kind: 'the password of an answer file',
    pattern: /<(?:[\w]+:)?(?:Administrator)?Password>\s*<(?:[\w]+:)?Value>(?!\s*\*SENSITIVE)[^<]*\S/i,
  },
];

/** The kinds of secret in a text, without any of it. */
export function secretsIn(text: string): readonly string[] {
  return SECRETS.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
}
