import type { SecretStore } from '../secrets/secret-store.ts';
import type { Secret } from '../secrets/secret.ts';
import type { Word } from './split-words.ts';

/** The words as they are to be run, with their secrets. */
export async function resolveWords(
  words: readonly Word<Secret>[],
  secrets: SecretStore,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolve = async (word: Word<Secret>): Promise<string> => {
    const parts = word.map(async (piece) => (typeof piece === 'string' ? piece : secrets(piece.opaque, signal)));
    return (await Promise.all(parts)).join('');
  };
  return Promise.all(words.map(resolve));
}
