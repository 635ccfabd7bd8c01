import type { Digest } from '../agent-source.ts';
import { releaseInvalid } from '../release-errors.ts';

/** The endings of the files that Kubernetes publishes beside each program, the stronger first. */
export const CHECKSUM_ENDINGS = ['.sha512', '.sha256'] as const;
type ChecksumEnding = (typeof CHECKSUM_ENDINGS)[number];

const FORMS = {
  '.sha512': { algorithm: 'sha512', pattern: /^([0-9a-f]{128})(?:\s|$)/i },
  '.sha256': { algorithm: 'sha256', pattern: /^([0-9a-f]{64})(?:\s|$)/i },
} as const;

/** What a checksum file promises. Kubernetes writes the digest alone; `sha512sum` adds the file's name. */
export function parseProgramChecksum(text: string, name: string, ending: ChecksumEnding): Digest {
  const { algorithm, pattern } = FORMS[ending];
  const [, hex] = pattern.exec(text.trim()) ?? [];
  if (hex !== undefined) return { algorithm, hex: hex.toLowerCase() };
  throw releaseInvalid(
    `read "${name}": it holds no ${algorithm} digest`,
    'Get the checksum file again from where the program comes from.',
  );
}
