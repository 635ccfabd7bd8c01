import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { User } from '../objects/gatekeeper.ts';

/** Tokens that hold until their line is removed. Only their hashes are kept. */
export interface StaticTokens {
  find(token: string): User | undefined;
}

const TokenFile = z.strictObject({
  tokens: z.array(
    z.strictObject({
      /** Lower-case hexadecimal SHA-256 of the token. */
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      user: z.string().check(z.minLength(1)),
      groups: z.array(z.string()),
    }),
  ),
});

/** Reads the file of hashed tokens. No file means no tokens. */
export function readStaticTokens(file: string): StaticTokens {
  const users = new Map(parse(file).tokens.map(({ sha256, user, groups }) => [sha256, { name: user, groups }]));
  return { find: (token) => users.get(hashToken(token)) };
}

/** What is kept of a token. Tokens are long and random, so a plain hash gives nothing away. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function parse(file: string): z.infer<typeof TokenFile> {
  const text = read(file);
  if (text === undefined) return { tokens: [] };
  try {
    return TokenFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('ASSET_INVALID', `Cannot read the tokens in "${file}"`, {
      hint: 'Write it as {"tokens": [{"sha256": "…", "user": "…", "groups": []}]}, or remove it.',
      cause,
    });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${file}"`);
  }
}
