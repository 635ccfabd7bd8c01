import { readFile } from 'node:fs/promises';
import { parseTrustKeys } from './manifest/trust-key.ts';
import { fileError } from '@fenestra/kernel';

/** The keys in a file that the operator trusts, for `AgentRequest.trustKeys`. */
export async function readTrustKeys(path: string): Promise<readonly string[]> {
  const pem = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return parseTrustKeys(pem, path);
}
