import { chmod, copyFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file that goes into a package is made from. */
export type StagedContent = { readonly from: string } | { readonly text: string };

/** A file on its way into a package. */
export interface StagedFile {
  readonly path: string;
  readonly content: StagedContent;
  readonly mode: number;
}

/** Puts a file where a packaging tool finds it, with the rights and the time it is to have in the package. */
export async function stageFile({ path, content, mode }: StagedFile, epoch: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  if ('from' in content) await copyFile(content.from, path);
  else await writeFile(path, content.text);
  await chmod(path, mode);
  await utimes(path, epoch, epoch);
}
