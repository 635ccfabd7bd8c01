import type { Program } from '../worker-options.ts';

/** What makes an executable smaller for its way, by the program that undoes it on a machine; the better one first. */
export const PACKINGS = ['zstd', 'gzip'] as const;
export type Packing = (typeof PACKINGS)[number];

/** An executable as it travels. */
export interface Load {
  /** No other load of the run is called like it. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** `undefined` if it travels as it is. */
  readonly packing: Packing | undefined;
}

/** The executable as it is. */
export function plainLoad({ path, size, sha256 }: Program): Load {
  return { name: sha256.slice(0, 16), path, size, packing: undefined };
}
