import type { Step } from '@fenestra/kernel';
import { placeFile, previousVersion } from '@fenestra/steps';

/** What is known about a file that is to be copied. */
interface CopiedFile {
  readonly sha256: string;
  readonly mode: number;
  /** Digest of what is replaced, if anything is. */
  readonly replacedSha256?: string;
}

/** The step that copies a file to a place where nobody has another one open. */
export function placing(from: string, to: string, { sha256, mode, replacedSha256 = 'nothing' }: CopiedFile): Step {
  return placeFile({ from, to, sha256, mode, keep: previousVersion(to, replacedSha256), companions: [] });
}
