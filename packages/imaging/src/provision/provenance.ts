import { readFile } from 'node:fs/promises';
import type { ImageConfig } from '../image/config/schema.ts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { WantedPiece } from './pieces.ts';

/** What an image is made of, as it says itself. */
const Provenance = z.object({
  form: z.literal(1),
  /** The version of keadm that made it, and its commit. */
  keadm: z.object({ version: z.string(), commit: z.string() }),
  madeAt: z.string(),
  system: z.string(),
  platform: z.string(),
  role: z.string(),
  features: z.array(z.string()),
  pieces: z.array(z.object({ id: z.string(), version: z.string(), location: z.string(), sha256: z.string() })),
  labels: z.record(z.string(), z.string()),
});
export type Provenance = z.infer<typeof Provenance>;

/** Who makes an image, and when. */
export interface ImageMaker {
  readonly version: string;
  readonly commit: string;
  readonly now: Date;
}

/** What an image is made of that has all that is wanted. One that tells of nothing new keeps the time it was made. */
export function nextProvenance(
  config: ImageConfig,
  pieces: readonly WantedPiece[],
  features: readonly string[],
  { maker, old }: { readonly maker: ImageMaker; readonly old: Provenance | undefined },
): Provenance {
  const next: Provenance = {
    form: 1,
    keadm: { version: maker.version, commit: maker.commit },
    madeAt: old?.madeAt ?? '',
    system: config.system,
    platform: config.platform,
    role: config.role,
    features: [...features],
    pieces: pieces.map(({ id, version, location, sha256 }) => ({ id, version, location, sha256 })),
    labels: config.labels ?? {},
  };
  if (old !== undefined && JSON.stringify(next) === JSON.stringify(old)) return old;
  return { ...next, madeAt: maker.now.toISOString() };
}

/** The file's text. */
export function provenanceText(provenance: Provenance): string {
  return `${JSON.stringify(provenance, null, 2)}\n`;
}

/** Reads it back; `undefined` if there is none. What somebody has changed is not guessed at. */
export async function readProvenance(path: string): Promise<Provenance | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
  if (text === undefined) return undefined;
  try {
    return Provenance.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('CONFIG_INVALID', `Cannot understand what the image is made of in "${path}"`, {
      hint: 'Move the file away: keadm then treats the machine as one that is not an image yet.',
      cause,
    });
  }
}
