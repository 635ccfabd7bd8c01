import { isSecretName, type Secret, type SecretStore } from '../secrets.ts';
import { plainText, type Word } from './split-words.ts';

const HIDDEN = '***';

/** The words as anyone may see them. */
export function shownWords(words: readonly Word<Secret>[]): readonly string[] {
  const texts = words.map((word) => word.map((part) => (typeof part === 'string' ? part : HIDDEN)).join(''));
  return texts.map((text, index) => {
    if (followsSecretFlag(texts, index)) return HIDDEN;
    if (isJoin(texts) && /^-t./.test(text)) return `-t${HIDDEN}`;
    const [, flag] = /^(--?[\w.-]+)=./.exec(text) ?? [];
    return flag !== undefined && isSecretName(flag) ? `${flag}=${HIDDEN}` : withoutInnerSecrets(text);
  });
}

/** A word may hold an address with a password, or settings of which some are secret: `a.token=x,b=y`. */
function withoutInnerSecrets(text: string): string {
  return text
    .replaceAll(/(https?:\/\/)[^/@\s]+@/gi, `$1${HIDDEN}@`)
    .replaceAll(/([\w.-]+)=([^,]+)/g, (setting, name: string) => (isSecretName(name) ? `${name}=${HIDDEN}` : setting));
}

/** Whether a word of the command itself, and no wildcard, is a secret. */
export function hasClearSecret(words: readonly Word<Secret>[]): boolean {
  const shown = shownWords(words);
  return words.some(
    (word, index) => word.every((part) => typeof part === 'string') && plainText(word) !== shown[index],
  );
}

function followsSecretFlag(texts: readonly string[], index: number): boolean {
  const before = texts[index - 1] ?? '';
  const isFlag = (/^--?[\w.-]+$/.test(before) && isSecretName(before)) || (isJoin(texts) && before === '-t');
  return isFlag && !texts[index]?.startsWith('-');
}

/** The token's short name is that of other things elsewhere. */
function isJoin([name]: readonly string[]): boolean {
  return name === 'join';
}

/** The words as they are to be run, with their secrets. */
export async function resolveWords(
  words: readonly Word<Secret>[],
  secrets: SecretStore,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolve = async (word: Word<Secret>): Promise<string> => {
    const parts = word.map(async (part) => (typeof part === 'string' ? part : secrets(part.opaque, signal)));
    return (await Promise.all(parts)).join('');
  };
  return Promise.all(words.map(resolve));
}
