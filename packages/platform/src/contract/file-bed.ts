import type { FileStore } from '../file-store.ts';

/** What a bed may have to say it cannot show. */
export type FileTopic = 'modes' | 'links' | 'programs-in-use';

/** A real file system, and a program that can be copied and run from it. */
export interface FileBed {
  readonly files: FileStore;
  /** An existing scratch folder. */
  readonly folder: string;
  /** A program that, copied anywhere and run with these arguments, stays up for a minute. */
  readonly longRunning: { readonly executable: string; readonly args: readonly string[] };
  readonly cannotShow: Readonly<Partial<Record<FileTopic, string>>>;
}
